// Memory for charts, kept between calls by each thread: a fresh chart of some megabytes would spend as long on page
// faults as on arithmetic. Large blocks ask for large pages, where the system has them.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace nonproj::one_endpoint_crossing {

class Workspace {
  public:
    // Uninitialised memory, aligned for any pack; valid until this thread's next call.
    static void* take(std::size_t bytes) {
        thread_local Workspace kept;
        if (kept.size_ < bytes) kept.allocate(bytes);
        void* memory = kept.memory_.get();
        return memory;
    }

  private:
    static constexpr std::size_t page = std::size_t(2) << 20;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    std::size_t size_ = 0;

    void allocate(std::size_t bytes) {
        memory_.reset();
        size_ = 0;
        const std::size_t rounded = (bytes + page - 1) / page * page;
        memory_.reset(std::aligned_alloc(page, rounded));
        if (!memory_) throw std::bad_alloc();
        size_ = rounded;
#if defined(MADV_HUGEPAGE)
        if (!getenv("NOHUGE")) madvise(memory_.get(), rounded, MADV_HUGEPAGE);
#endif
    }
};

}  // namespace nonproj::one_endpoint_crossing
