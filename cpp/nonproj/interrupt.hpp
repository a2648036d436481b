// Long work checks now and then whether it should go on. Whoever runs it sets an interrupt for its thread, which throws to
// stop the work. Without one the check costs next to nothing.
#pragma once

namespace nonproj {

class Interrupt {
  public:
    using Check = void (*)(void* context);

    Interrupt(Check check, void* context) : check_(check), context_(context), outer_(current_) { current_ = this; }
    ~Interrupt() { current_ = outer_; }
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // To be called at least every few milliseconds.
    static void check() {
        if (current_ != nullptr) current_->check_(current_->context_);
    }
    // The interrupt that this one stands before, if there is one.
    void check_outer() const {
        if (outer_ != nullptr) outer_->check_(outer_->context_);
    }

  private:
    static inline thread_local Interrupt* current_ = nullptr;
    Check check_;
    void* context_;
    Interrupt* outer_;
};

}  // namespace nonproj
