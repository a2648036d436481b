#include "nonproj/decode/search/decoder.hpp"

namespace nonproj {

template class Decoder<float>;
template class Decoder<double>;

}  // namespace nonproj
