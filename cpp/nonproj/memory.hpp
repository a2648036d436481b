// The memory that a piece of work did not get. Python sees it as a MemoryError with this message.
#pragma once
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace nonproj {

class OutOfMemory : public std::bad_alloc {
  public:
    explicit OutOfMemory(std::string message) : message_(std::make_shared<std::string>(std::move(message))) {}
    const char* what() const noexcept override { return message_->c_str(); }

  private:
    std::shared_ptr<std::string> message_;  // an exception must not throw when it is copied
};

}  // namespace nonproj
