// expect: anything: this source is correct, so that the check has something to complain about
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <vector>

void scan(sam::default_context& context, std::vector<int> const& in, std::vector<int>& out) {
  sam::inclusive_scan(context, in, out);
}
