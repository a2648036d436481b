// Memory for charts, kept between calls by each thread: a fresh chart of some megabytes would spend as long on page
// faults as on arithmetic. Large blocks ask for large pages, where the system has them.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace nonproj {

class Workspace {
  public:
    explicit Workspace(std::size_t bytes) {
        if (!kept().empty()) {
            block_ = std::move(kept().back());
            kept().pop_back();
        }
        if (block_.size < bytes) block_ = Block::allocate(bytes);
    }
    ~Workspace() {
        if (block_.size <= max_kept && kept().size() < 2) kept().push_back(std::move(block_));
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    void* data() const { return block_.memory.get(); }  // uninitialised

  private:
    static constexpr std::size_t page = std::size_t(2) << 20;
    static constexpr std::size_t max_kept = std::size_t(128) << 20;

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    struct Block {
        std::unique_ptr<void, Free> memory;
        std::size_t size = 0;

        static Block allocate(std::size_t bytes) {
            const std::size_t rounded = (bytes + page - 1) / page * page;
            Block block{std::unique_ptr<void, Free>(std::aligned_alloc(page, rounded)), rounded};
            if (!block.memory) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
            madvise(block.memory.get(), rounded, MADV_HUGEPAGE);  // a wish: failure only costs time
#endif
            return block;
        }
    };
    Block block_;

    static std::vector<Block>& kept() {
        thread_local std::vector<Block> blocks;
        return blocks;
    }
};

}  // namespace nonproj
