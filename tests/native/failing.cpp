// Makes one call of the system fail, loaded before Python by tests/faults.py: the n-th write, read, mmap of a file,
// rename, start of a thread or allocation of the core after `fail_at`; or, after `fail_on_way`, the first allocation that is
// reached by a given way through the core: a training makes 10^5 allocations, but gets to them in some thousand ways. What
// goes to stderr never fails: there the fault has to be told.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unwind.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

enum Kind { none, writing, reading, mapping, renaming, allocating, threading };

constexpr int max_ways = 1 << 16;

// Shared with the parent process, which looks at it when a child is gone.
struct State {
    std::atomic<int> kind;
    std::atomic<long> calls, at;
    std::atomic<bool> notes_ways;
    std::atomic<std::uint64_t> way;              // the one to fail on; 0 for none
    std::atomic<std::uint64_t> noted[max_ways];  // a hash table of those seen
};
State* state = nullptr;
std::uintptr_t core_begin = 0, core_end = 0;

bool fails(Kind kind) {
    if (state == nullptr || state->kind.load() != kind) return false;
    return state->calls.fetch_add(1) + 1 == state->at.load();
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int find_core(dl_phdr_info* info, std::size_t, void*) {
    if (strstr(info->dlpi_name, "/_core.") == nullptr) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& part = info->dlpi_phdr[i];
        if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
        core_begin = info->dlpi_addr + part.p_vaddr;
        core_end = core_begin + part.p_memsz;
    }
    return 1;
}

bool is_in_core(std::uintptr_t address) { return core_begin <= address && address < core_end; }

// The calls of the core that led here, from the last one up to where Python or a thread entered it.
struct Way {
    std::uint64_t hash = 0;
    bool is_in = false;

    static _Unwind_Reason_Code step(_Unwind_Context* frame, void* self) {
        Way& way = *static_cast<Way*>(self);
        const std::uintptr_t address = _Unwind_GetIP(frame);
        if (!is_in_core(address)) return way.is_in ? _URC_END_OF_STACK : _URC_NO_REASON;
        way.is_in = true;
        way.hash = (way.hash ^ (address - core_begin)) * 0x9E3779B97F4A7C15u;
        way.hash ^= way.hash >> 29;
        return _URC_NO_REASON;
    }
};
std::uint64_t way_here() {
    Way way;
    _Unwind_Backtrace(&Way::step, &way);
    return way.hash | 1;
}
void note(std::uint64_t way) {
    for (int i = 0; i < max_ways; ++i) {
        std::uint64_t free = 0;
        auto& place = state->noted[(way + i) % max_ways];
        if (place.load() == way || place.compare_exchange_strong(free, way) || free == way) return;
    }
}

bool fails_to_allocate() {
    if (state == nullptr || state->kind.load() != allocating) return false;
    if (state->notes_ways.load()) note(way_here());
    if (state->way.load() != 0 && state->way.load() != way_here()) return false;
    return fails(allocating);
}

void* allocate(std::size_t bytes, const void* caller) {
    if (is_in_core(reinterpret_cast<std::uintptr_t>(caller)) && fails_to_allocate()) return nullptr;
    return std::malloc(bytes);
}

}  // namespace

extern "C" {

// Ready to count; to be called once, when the core is loaded.
void prepare_to_fail() {
    state =
        static_cast<State*>(mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    dl_iterate_phdr(&find_core, nullptr);
}
void fail_at(int kind, long at) {
    state->calls = 0;
    state->at = at;
    state->way = 0;
    state->kind = kind;
}
void note_ways(bool notes) { state->notes_ways = notes; }
void fail_on_way(std::uint64_t way) {
    fail_at(allocating, 1);
    state->way = way;
}
// What lies at a place of the table of ways; 0 where there is none.
std::uint64_t noted_way(int place) { return 0 <= place && place < max_ways ? state->noted[place].load() : 0; }
int places_of_ways() { return max_ways; }
void stop_failing() { state->kind = none; }
long calls_counted() { return state->calls; }

ssize_t write(int file, const void* from, size_t bytes) {
    static const auto real = next<ssize_t(int, const void*, size_t)>("write");
    if (file != 2 && fails(writing)) return errno = ENOSPC, -1;
    return real(file, from, bytes);
}
ssize_t read(int file, void* to, size_t bytes) {
    static const auto real = next<ssize_t(int, void*, size_t)>("read");
    if (fails(reading)) return errno = EIO, -1;
    return real(file, to, bytes);
}
void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
    static const auto real = next<void*(void*, size_t, int, int, int, off_t)>("mmap");
    if (file >= 0 && fails(mapping)) return errno = ENOMEM, MAP_FAILED;
    return real(address, bytes, protection, flags, file, offset);
}
void* mmap64(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
    return mmap(address, bytes, protection, flags, file, offset);
}
int rename(const char* from, const char* to) {
    static const auto real = next<int(const char*, const char*)>("rename");
    if (fails(renaming)) return errno = EACCES, -1;
    return real(from, to);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    static const auto real = next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    if (fails(threading)) return EAGAIN;
    return real(thread, attributes, run, argument);
}
}

// The allocations of the core alone: what Python does about its own is its own affair.
void* operator new(std::size_t bytes) {
    if (void* found = allocate(bytes, __builtin_return_address(0))) return found;
    throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) {
    if (void* found = allocate(bytes, __builtin_return_address(0))) return found;
    throw std::bad_alloc();
}
void operator delete(void* what) noexcept { std::free(what); }
void operator delete[](void* what) noexcept { std::free(what); }
void operator delete(void* what, std::size_t) noexcept { std::free(what); }
void operator delete[](void* what, std::size_t) noexcept { std::free(what); }
