// Threads that share out work on many sentences. The caller's interrupt is heard, the first failure stops all, and it is
// thrown again once all have stopped.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "nonproj/interrupt.hpp"

namespace nonproj {

namespace parallel_detail {

class Threads {
  public:
    template <class Work>
    void run(std::size_t count, int threads, const Work& work) {
        const auto take_turns = [&] {
            try {
                for (std::size_t i = 0; !is_stopped_ && (i = next_.fetch_add(1)) < count;) work(i);
            } catch (...) {
                stop(std::current_exception());
            }
        };
        std::vector<std::thread> others;
        const std::size_t wanted = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
        others.reserve(wanted);  // nothing may be thrown here once a thread runs
        try {
            for (std::size_t i = 1; i < wanted; ++i)
                others.emplace_back([&] {
                    const Interrupt interrupt(&Threads::check, this);
                    take_turns();
                    const std::lock_guard lock(mutex_);
                    ++finished_;
                    one_finished_.notify_one();
                });
        } catch (const std::system_error&) {
            // No more threads to be had: those that there are do the work.
        } catch (const std::bad_alloc&) {
        }
        take_turns();
        wait_for(others.size());
        for (std::thread& other : others) other.join();
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    struct Stopped {};

    static void check(void* self) {
        if (static_cast<Threads*>(self)->is_stopped_) throw Stopped{};
    }
    void stop(std::exception_ptr failure) {
        const std::lock_guard lock(mutex_);
        if (!is_stopped_) failure_ = std::move(failure);
        is_stopped_ = true;
    }
    void wait_for(std::size_t others) {
        std::unique_lock lock(mutex_);
        while (finished_ < others) {
            one_finished_.wait_for(lock, std::chrono::milliseconds(50));
            lock.unlock();
            try {
                Interrupt::check();
            } catch (...) {
                stop(std::current_exception());
            }
            lock.lock();
        }
    }

    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> is_stopped_ = false;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable one_finished_;
    std::size_t finished_ = 0;
};

}  // namespace parallel_detail

// Calls work(i) for every i below `count`, each thread taking one at a time, since a sentence can outweigh many.
template <class Work>
void parallel_for(std::size_t count, int threads, const Work& work) {
    parallel_detail::Threads().run(count, threads, work);
}

}  // namespace nonproj
