// Threads of another library, lent for short work.
//
// A library such as PyTorch keeps threads that spin for a while after each of its operations. Beside them new threads come
// late and find no processor; its own are awake. With GNU's OpenMP they can be had by its function GOMP_parallel.
#pragma once
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>

#include "nonproj/interrupt.hpp"

namespace nonproj {

class Team {
  public:
    // Runs body(data) on so many threads, the caller's among them, and returns when all have done.
    using Run = void (*)(void (*body)(void*), void* data, unsigned threads, unsigned flags);

    static inline std::atomic<Run> lent = nullptr;

    // Calls work(i) for every i below `count`. The first failure stops all and is thrown again. The caller hears of an
    // interrupt only while it has work itself: this is for what takes no time.
    template <class Work>
    static void share_out(Run run, std::size_t count, int threads, const Work& work) {
        Shared<Work> shared{work, count, std::this_thread::get_id()};
        run([](void* data) { static_cast<Shared<Work>*>(data)->help(); }, &shared, static_cast<unsigned>(threads), 0);
        if (shared.failure) std::rethrow_exception(shared.failure);
    }

  private:
    struct Stopped {};

    template <class Work>
    struct Shared {
        const Work& work;
        std::size_t count;
        std::thread::id caller;
        std::atomic<std::size_t> next = 0;
        std::atomic<bool> is_stopped = false;
        std::exception_ptr failure = nullptr;
        std::mutex mutex{};

        void help() {
            if (std::this_thread::get_id() == caller) return take_turns();
            const Interrupt interrupt(
                [](void* self) {
                    if (static_cast<Shared*>(self)->is_stopped) throw Stopped{};
                },
                this);
            take_turns();
        }
        void take_turns() {
            try {
                for (std::size_t i; !is_stopped && (i = next.fetch_add(1)) < count;) work(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!is_stopped) failure = std::current_exception();
                is_stopped = true;
            }
        }
    };
};

}  // namespace nonproj
