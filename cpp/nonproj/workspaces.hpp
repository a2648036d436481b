// Workspaces that threads take and give back, so that each is made once. One that something failed in is not used again.
#pragma once
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace nonproj {

template <class Workspace>
class Workspaces {
  public:
    // One workspace for a while; what it was taken for has to end before the pool does.
    class Taken {
      public:
        Taken(Workspaces& pool, std::unique_ptr<Workspace> workspace) : pool_(pool), workspace_(std::move(workspace)) {}
        Taken(const Taken&) = delete;
        Taken& operator=(const Taken&) = delete;
        ~Taken() {
            if (std::uncaught_exceptions() > failures_) return;
            const std::lock_guard lock(pool_.mutex_);
            try {
                pool_.idle_.push_back(std::move(workspace_));
            } catch (const std::bad_alloc&) {
            }
        }
        Workspace& operator*() const { return *workspace_; }
        Workspace* operator->() const { return workspace_.get(); }

      private:
        Workspaces& pool_;
        std::unique_ptr<Workspace> workspace_;
        int failures_ = std::uncaught_exceptions();
    };

    // One that is idle, or else one that make() gives.
    template <class Make>
    Taken take(const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                auto workspace = std::move(idle_.back());
                idle_.pop_back();
                return Taken(*this, std::move(workspace));
            }
        }
        return Taken(*this, make());
    }

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace nonproj
