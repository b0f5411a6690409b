// SPDX-License-Identifier: MIT
// Calls that do not compile. Each case is a test of its own (CMakeLists.txt). Its first error must
// match the regular expression behind `expect:`, and few lines may follow.
#include "calls.hpp"  // compiled before, from the build folder

struct point {
  float x;
  int id;
};
enum class colour : std::uint8_t { red, green };
/// A range of computed items, behind an iterator.
struct counting {
  struct iterator {
    int operator*() const { return 0; }
    iterator operator+(long) const { return {}; }
  };
  iterator data() const { return {}; }
  int size() const { return 10; }
};
struct matrix_view {
  static constexpr int rank() { return 2; }
  int* data() const;
  int size() const;
};
/// A context that cannot access the memory of any array with a known memory space.
struct remote {
  void wait() {}
  char const* name() const { return "remote"; }
  template <class Array>
  static constexpr bool reaches = false;
};
struct left {
  int operator()(int a, int) const { return a; }
};
std::vector<int> make_offsets();

void call(sam::default_context& context) {
  std::vector<int> const in(10, 1);
  std::vector<int> out(10), keys(10), values(10);
  std::vector<float> floats(10);
  std::vector<point> points(10), more_points(10);
  [[maybe_unused]] int count = 0;

#if CASE == 1  // expect: sam: the first argument must be a context of a back end
  sam::inclusive_scan(in, out, sam::plus{});
#elif CASE == 2    // expect: sam: the context is const
  auto const& constant = context;
  sam::inclusive_scan(constant, in, out);
#elif CASE == 3    // expect: sam: the context cannot reach the memory space of in
  remote far;
  sam::inclusive_scan(far, in, out);

  // Arrays
#elif CASE == 10   // expect: sam: in must be contiguous items in memory .* std::span\(pointer, n\)
  sam::inclusive_scan(context, in.data(), out.data(), 10);
#elif CASE == 11   // expect: sam: in must be contiguous items in memory
  sam::inclusive_scan(context, in.begin(), in.end(), out.begin());
#elif CASE == 12   // expect: sam: in must be contiguous items in memory
  sam::inclusive_scan(context, std::deque<int>(10), out);
#elif CASE == 13   // expect: sam: keys must be contiguous items in memory
  sam::radix_argsort(context, counting{}, out);
#elif CASE == 14   // expect: sam: out must be contiguous items in memory
  sam::compact(context, in, count, [](int x) { return x > 0; });
#elif CASE == 15   // expect: sam: in is a View of rank 2 or more
  sam::inclusive_scan(context, matrix_view{}, out);
#elif CASE == 16   // expect: sam: flags is a std::vector<bool>
  sam::compact_flagged(context, in, std::vector<bool>(10), out);
#elif CASE == 17   // expect: sam: heads is a std::vector<bool>
  std::vector<bool> const flags(10);
  sam::segmented_inclusive_scan(context, in, sam::by_heads(flags), out);
#elif CASE == 18   // expect: sam: the items of out are const
  sam::inclusive_scan(context, out, in);
#elif CASE == 19   // expect: sam: in has volatile items
  int volatile items[10] = {};
  sam::inclusive_scan(context, items, out);
#elif CASE == 20   // expect: sam: the items of in must be trivially copyable
  std::vector<std::atomic<int>> atomics(10);
  sam::inclusive_scan(context, atomics, out);
#elif CASE == 21   // expect: sam: the items of in must be trivially copyable
  std::vector<std::unique_ptr<int>> from(10), to(10);
  sam::compact(context, from, to, [](auto const& x) { return bool(x); });
#elif CASE == 22   // expect: sam: the items of in must be trivially copyable; std::pair
  std::vector<std::tuple<float, int>> from(10), to(10);
  sam::inclusive_scan(context, from, to, [](auto x, auto) { return x; });
#elif CASE == 23   // expect: sam: the items of values_in must be trivially copyable
  std::vector<std::string> from(10), to(10);
  sam::radix_sort_pairs(context, in, from, keys, to);
#elif CASE == 24   // expect: sam: what goes in and what comes out must have the same item type
  sam::compact(context, in, floats, [](int x) { return x > 0; });
#elif CASE == 25   // expect: sam: flags must be integers, bools or sam::packed_bits
  sam::compact_flagged(context, in, floats, out);
#elif CASE == 26   // expect: sam: the words of packed_bits must be of type std::uint32_t
  sam::packed_bits const bits(in);

  // Results
#elif CASE == 30   // expect: sam: count must be a place for a result
  sam::compact(
      context, in, out, [](int x) { return x > 0; }, 10);
#elif CASE == 31   // expect: sam: count must hold integers
  double number;
  sam::unique(context, in, out, number);
#elif CASE == 32   // expect: sam: counts must be contiguous items in memory
  sam::three_way_partition(
      context, in, out, [](int x) { return x > 0; }, [](int x) { return x < 0; }, count);
#elif CASE == 33   // expect: sam: out must hold integers
  sam::compact_indices(context, in, floats, [](int x) { return x > 0; });
#elif CASE == 34   // expect: sam: lengths must hold integers
  sam::run_length_encode(context, in, out, floats);

  // Operators, transforms, predicates
#elif CASE == 40   // expect: sam: the operator must be .* T operator\(\)\(T, T\) const
  sam::inclusive_scan(context, in, out, [](std::string a, std::string b) { return a + b; });
#elif CASE == 41   // expect: sam: the operator must be a const function object
  sam::inclusive_scan(context, in, out, [](int& a, int& b) { return a + b; });
#elif CASE == 42   // expect: sam: the operator must be a const function object
  struct forgets_const {
    int operator()(int a, int b) { return a + b; }
  };
  sam::inclusive_scan(context, in, out, forgets_const{});
#elif CASE == 43   // expect: sam: the operator must be a const function object
  sam::reduce(
      context, floats, points, [](point p, float x) { return p.x += x, p; }, point{});
#elif CASE == 44   // expect: sam: this operator has no identity over out's item type
  sam::exclusive_scan(context, in, out, left{});
#elif CASE == 45   // expect: sam: segments may be empty and this operator has no identity
  sam::segmented_reduce(context, in, sam::by_offsets(in), out, left{});
#elif CASE == 46   // expect: sam: two initial values were given
  sam::exclusive_scan(context, in, out, 1, 2);
#elif CASE == 47   // expect: sam: neither of the last two arguments converts to out's item type
  sam::exclusive_scan(context, in, out, sam::plus{}, "init");
#elif CASE == 48   // expect: sam: transform must be a const function object
  sam::transform_inclusive_scan(context, points, floats, &point::x);
#elif CASE == 49   // expect: sam: transform must be a const function object
  sam::transform_reduce(context, in, floats, [](std::string const& s) { return s.size(); });
#elif CASE == 50   // expect: sam: what transform returns must convert to out's item type
  sam::transform_inclusive_scan(context, in, out, [](int x) { return std::to_string(x); });
#elif CASE == 51   // expect: sam: in's items must convert to out's item type
  sam::inclusive_scan(context, points, out);
#elif CASE == 52   // expect: sam: the predicate must be a const function object
  sam::compact(context, in, out, [n = 0](int) mutable { return n++ % 2 == 0; });
#elif CASE == 53   // expect: sam: equal must be a const function object
  sam::unique(context, in, out, [](int x) { return x; });
#elif CASE == 54   // expect: sam: equal must be a const function object
  sam::unique(context, points, more_points);
#elif CASE == 55   // expect: sam: the policy of a reduction must be of order 1
  sam::reduce(context, in, out, sam::tuples_of<2>(10));
#elif CASE == 56   // expect: sam: the policy of a segmented reduction must be of order 1
  sam::segmented_reduce(context, in, sam::by_keys(keys), out, count, sam::tuples_of(10));
#elif CASE == 57   // expect: sam::scan_policy: order must be at least 1 \(1 is the ordinary scan\)
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 0>{});
#elif CASE == 58   // expect: sam::scan_policy: tuple size must be at least 1, or run_time_tuple
  sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 1, -3>{});

  // Conversions that lose values
#elif CASE == 60   // expect: sam: a conversion of in's items, .* sam::converted<To>
  sam::inclusive_scan(context, std::vector<double>(10), out);
#elif CASE == 61   // expect: sam: a conversion of in's items
  std::int32_t total;
  sam::reduce(context, std::vector<std::int64_t>(10), total);
#elif CASE == 62   // expect: sam: a conversion of in's items
  sam::segmented_inclusive_scan(context, floats, sam::by_keys(keys), out);
#elif CASE == 63   // expect: sam: a conversion of in's items
  sam::linear_recurrence(context, floats, in, out);
#elif CASE == 64   // expect: sam: a conversion of the initial value
  sam::exclusive_scan(context, in, out, 0.5);
#elif CASE == 65   // expect: sam: a conversion of the initial value
  sam::reduce(context, in, out, sam::plus{}, std::int64_t{1});
#elif CASE == 66   // expect: sam: a conversion of the transform's result
  sam::transform_inclusive_scan(context, in, out, [](int x) { return 0.5 * x; });
#elif CASE == 67   // expect: sam: a conversion of in's items
  sam::summed_area_table(context, floats, 5, out);

  // Segments and bins
#elif CASE == 70   // expect: sam: segments must be by_offsets\(offsets\), by_heads\(flags\)
  sam::segmented_inclusive_scan(context, in, keys, out);
#elif CASE == 71   // expect: sam: offsets is a temporary that owns its items
  sam::segmented_inclusive_scan(context, in, sam::by_offsets(make_offsets()), out);
#elif CASE == 72   // expect: sam: heads is a temporary that owns its items
  sam::segmented_inclusive_scan(context, in, sam::by_heads(make_offsets()), out);
#elif CASE == 73   // expect: sam: keys is a temporary that owns its items
  auto const segments = sam::by_keys(make_offsets());
#elif CASE == 74   // expect: sam: boundaries is a temporary that owns its items
  auto const bins = sam::bins_between(make_offsets());
#elif CASE == 75   // expect: sam: lengths is a temporary that owns its items
  auto const lengths = sam::checked_lengths(make_offsets());
#elif CASE == 76   // expect: sam: the words of packed_bits are a temporary
  sam::packed_bits const bits(std::vector<std::uint32_t>(4));
#elif CASE == 77   // expect: sam: offsets must hold integers
  auto const segments = sam::by_offsets(floats);
#elif CASE == 78   // expect: sam: the counts of a histogram must be integers of 4 or 8 bytes
  std::vector<std::uint8_t> counts(10);
  sam::histogram(context, in, counts, sam::even_bins(0, 10));
#elif CASE == 79   // expect: sam: the limits of even_bins of integers must be integers
  sam::histogram(context, in, out, sam::even_bins(0.0, 10.0));
#elif CASE == 80   // expect: sam: even_bins are of integers or of floats
  sam::histogram(context, points, out, sam::even_bins(0, 10));
#elif CASE == 81   // expect: sam: boundaries must be of in's item type
  sam::histogram(context, in, out, sam::bins_between(floats));
#elif CASE == 82   // expect: sam: bins must be even_bins\(lower, upper\)
  sam::histogram(context, in, out, 10);

  // Sorts and others
#elif CASE == 90   // expect: sam: keys must be integers, bools or floats
  std::vector<colour> from(10), to(10);
  sam::radix_sort(context, from, to);
#elif CASE == 91   // expect: sam: keys must be integers, bools or floats
  std::vector<long double> from(10), to(10);
  sam::radix_sort(context, from, to);
#elif CASE == 92   // expect: sam: a radix sort takes no comparison
  sam::radix_sort(context, points, more_points, [](point a, point b) { return a.x < b.x; });
#elif CASE == 93   // expect: sam: digits must be a const function object
  sam::radix_sort(context, points, more_points, [](point p) { return p.x; });
#elif CASE == 94   // expect: sam: the items of in and out must be integers
  sam::delta_encode(context, floats, floats);
#elif CASE == 95   // expect: sam: the items of out must be integers, .* or floating-point numbers
  sam::linear_recurrence(context, points, points, points);
#elif CASE == 96   // expect: sam: the coefficients, and the outputs before the first
  sam::linear_filter(context, floats, std::array{1.0, 2.0}, floats);
#elif CASE == 97   // expect: sam: a conversion of in's items, .* or convert in first
  sam::segmented_inclusive_scan(context, std::vector<double>(10), sam::by_length(5), out);
#elif CASE == 98   // expect: sam: before and after must be scan_states of out's item type
  sam::scan_state<int, sam::scan_policy<sam::maximum>> state;
  sam::inclusive_scan(context, in, out, sam::plus{}, state, state);
  // Computed inputs
#elif CASE == 110  // expect: sam: out is a computed input, such as sam::generated
  sam::inclusive_scan(context, in, sam::constant(10, 1));
#elif CASE == 111  // expect: sam: heads is a computed input, .* only the calls that
  sam::segmented_radix_sort(context, in, sam::by_heads(sam::constant(10, 1)), out);
#elif CASE == 112  // expect: sam: a computed input was given a temporary that owns its items
  sam::reduce(context, sam::strided(std::vector<int>(10), 2));
#elif CASE == 113  // expect: sam: the function of a computed input must be a const function object
  sam::reduce(context, sam::generated(10, point{}));
#elif CASE == 114  // expect: sam: indices must hold integers
  sam::reduce(context, sam::permuted(in, floats));
#elif CASE == 115  // expect: sam: the items of a computed input must be trivially copyable
  auto const strings = sam::generated(10, [](long) { return std::string(); });
#elif CASE == 116  // expect: sam: the type of accumulate_in must convert to out's item type
  auto const first = [](point a, point) { return a; };
  sam::inclusive_scan(context, points, out, sam::accumulate_in<point>(first));
#elif CASE == 117  // expect: sam: zipped takes two to four inputs
  auto const five = sam::zipped(in, in, in, in, in);
#elif CASE == 118  // expect: sam: accumulate_in cannot be combined with earlier runs
  sam::reduce_by_key(context, keys, in, out, out, 0, out, sam::accumulate_in<long>(sam::plus{}));
#elif CASE == 119  // expect: sam: before and after must be scan_states of .* that of accumulate_in
  sam::scan_state<int> state;
  sam::inclusive_scan(context, in, out, sam::accumulate_in<long>(sam::plus{}), state, state);
#elif CASE == 155  // expect: sam: before and after of a scan of segments must be
  sam::stream_state<int> state;
  sam::segmented_inclusive_scan(context, in, sam::by_length(5), out, sam::plus{}, state, state);
#elif CASE == 156  // expect: sam: before and after must be recurrence_stream_states
  sam::stream_state<double> state;
  sam::linear_recurrence(context, floats, floats, floats, state, state);
#elif CASE == 157  // expect: sam: a call with states takes three more arguments
  sam::stream_state<int> state;
  sam::inclusive_scan(context, in, out, sam::plus{}, state);
#elif CASE ==                                                                                      \
    158  // expect: sam: policies whose tuple size is known at run time only have no states
  sam::stream_state<int> state;
  sam::inclusive_scan(context, in, out, sam::tuples_of(2), state, state);
  // Computed outputs
#elif CASE == 160  // expect: sam: out is a computed output, .* only the calls that
  sam::summed_area_table(context, in, 2, sam::discarded<int>(10));
#elif CASE == 161  // expect: sam: transformed_to cannot see which type its function takes
  sam::inclusive_scan(context, in, sam::transformed_to(out, [](auto x) { return x; }));
#elif CASE == 162  // expect: sam: the function of transformed_to must be a const function object
  auto const wrong = sam::transformed_to<point>(out, [](int x) { return x; });
#elif CASE == 163  // expect: sam: a computed output needs an array that may be written
  auto const constant_items = sam::scattered(in, keys);
#elif CASE == 164  // expect: sam: a computed output was given a temporary that owns its items
  auto const gone = sam::scattered(std::vector<int>(10), keys);
#elif CASE == 165  // expect: sam: ends is sam::counted, which this call does not take
  auto const wrong = sam::by_ranges(keys, sam::counted(values, out));
#elif CASE == 166  // expect: sam: values_out is sam::counted, which this call does not take
  sam::top_k_pairs(context, in, in, out, sam::counted(std::span(out), values));
  // Comparisons, merges and set operations
#elif CASE == 120  // expect: sam: less must be a const function object on two items, a strict weak
  sam::merge_sort(context, points, more_points);
#elif CASE == 121  // expect: sam: less must be a const function object on two items
  sam::set_union(context, in, in, out, count, [](int a) { return a; });
#elif CASE == 122  // expect: sam: what goes in and what comes out must have the same item type
  sam::merge(context, in, floats, out);
#elif CASE == 123  // expect: sam: the items of out are const
  sam::set_difference(context, in, in, in, count);
#elif CASE == 124  // expect: sam: count must hold integers
  float number;
  sam::set_intersection(context, in, in, out, number);
#elif CASE == 125  // expect: sam: out must hold integers
  sam::merge_argsort(context, in, floats);
#elif CASE == 126  // expect: sam: what goes in and what comes out must have the same item type
  sam::lower_bound(context, in, floats, out);
#elif CASE == 127  // expect: sam: out must hold integers
  sam::upper_bound(context, in, keys, floats);
#elif CASE == 128  // expect: sam: b is sam::counted, which this call does not take
  sam::inner_product(context, in, sam::counted(in, keys));

  // Choices
#elif CASE == 130  // expect: sam: out must hold integers
  sam::top_k_indices(context, in, floats);
#elif CASE == 131  // expect: sam: the segments of a segmented top k must be by_offsets
  sam::segmented_top_k(context, in, sam::by_heads(keys), 3, out);
#elif CASE == 132  // expect: sam: out must hold integers
  sam::argmin(context, in, floats[0]);
#elif CASE == 133  // expect: sam: out must be a place for a sam::indexed_value<T>
  sam::find_min(context, in, count);
#elif CASE == 134  // expect: sam: the predicate must be a const function object on items of in
  sam::find_if(context, in, [](int& x) { return x > 0; });
#elif CASE == 135  // expect: sam: the result of a test needs a place for a bool or an integer
  sam::any_of(
      context, in, [](int x) { return x > 0; }, floats[0]);
#elif CASE == 136  // expect: sam: out must hold integers
  sam::segmented_argmax(context, in, sam::by_length(5), floats, count);
#elif CASE == 137  // expect: sam: less must be a const function object on two items
  sam::argmin_by_key(context, keys, points, keys, out, count);
#elif CASE == 138  // expect: sam: the predicate must be a const function object on items of in
  sam::compact_by_stencil(
      context, in, points, out, [](int x) { return x > 0; }, count);
#elif CASE == 139  // expect: sam: out must hold sam::min_and_max<T>, or be sam::zipped_to
  sam::minmax(context, in, count);
#elif CASE == 154  // expect: sam: the items must be numbers; sam::find_minmax and
  sam::minmax(context, points);

#elif CASE == 150  // expect: sam: less must be a const function object on two items
  sam::partial_sort(context, points, more_points);
#elif CASE == 151  // expect: sam: less must be a const function object on two items
  sam::top_k(context, in, out, true);
#elif CASE == 152  // expect: sam: the keys must be integers, bools or floats .* for others
  sam::top_k(context, points, more_points);
#elif CASE == 153  // expect: sam: less must be a const function object on two items
  int const constant = 0;
  sam::nth_element(context, in, 3, constant);

  // Neighbours, indices, states
#elif CASE == 140  // expect: sam: op must be a const function object on an item and its neighbour
  sam::adjacent_difference(context, in, out, [](int a) { return a; });
#elif CASE == 141  // expect: sam: indices must hold integers
  sam::gather(context, in, floats, out);
#elif CASE == 142  // expect: sam: the items of out are const
  sam::scatter(context, out, keys, in);
#elif CASE == 143  // expect: sam: apply_permutation takes 1 to 8 pairs of an array to read
  sam::apply_permutation(context, keys, out, values, in);
#elif CASE == 144  // expect: sam: indices is a temporary that owns its items
  sam::gather(context, in, sam::checked_indices(make_offsets()), out);
#elif CASE == 145  // expect: sam: number must hold integers
  sam::reduce(context, sam::counted(in, floats));
#elif CASE == 146  // expect: sam: after must be a place for a result
  sam::scan_state<int> const state;
  sam::inclusive_scan(context, in, out, sam::plus{}, state, state);
#elif CASE == 147  // expect: sam: with_outliers takes even_bins
  sam::histogram(context, in, out, sam::with_outliers([](int x) { return x; }));
#elif CASE == 148  // expect: sam: the sums of a weighted histogram must be integers, float or
  sam::weighted_histogram(context, in, points, more_points, sam::even_bins(0, 10));
#elif CASE == 99   // correct, so that the check must complain
  sam::inclusive_scan(context, in, out);
#else
#error "there is no such case"
#endif
}
