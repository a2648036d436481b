// Long work asks now and then whether it should go on. Whoever runs it sets a watch for its thread; the watch throws to
// stop the work. Without a watch the question costs next to nothing.
#pragma once

namespace nonproj {

class Watch {
  public:
    using Ask = void (*)(void* context);

    Watch(Ask ask, void* context) : ask_(ask), context_(context), outer_(current_) { current_ = this; }
    ~Watch() { current_ = outer_; }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    // To be called at least every few milliseconds.
    static void ask() {
        if (current_ != nullptr) current_->ask_(current_->context_);
    }

  private:
    static inline thread_local Watch* current_ = nullptr;
    Ask ask_;
    void* context_;
    Watch* outer_;
};

}  // namespace nonproj
