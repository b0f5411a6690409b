// SPDX-License-Identifier: MIT
// Defines compile-time checks of the arguments of public functions. A caller who passes a wrong
// argument gets one sentence that names the argument and says what to write.
//
// A check is a class with a `value` and a static_assert on it. A function combines its checks by
// std::conjunction, which stops at the first that fails, and does nothing more if one failed. So
// that sentence is the first error, and few others follow.
#pragma once

#include <sam/arguments/counted.hpp>
#include <sam/array.hpp>
#include <sam/base/callable.hpp>
#include <sam/context.hpp>
#include <sam/conversion.hpp>

#include <source_location>
#include <type_traits>

namespace sam::inline v0_1::detail {

/// True if all checks hold; does not instantiate checks after the first that fails.
template <class... Checks>
inline constexpr bool all_right = std::conjunction_v<Checks...>;

template <class Context>
struct is_context {
  using type = std::remove_reference_t<Context>;
  static constexpr bool known = sam::context<std::remove_const_t<type>>;
  static constexpr bool value = known && !std::is_const_v<type>;
  static_assert(known, "sam: the first argument must be a context of a back end, such as "
                       "sam::default_context; a stream goes into one: sam::cuda::context(stream); "
                       "an execution space of Kokkos may stand for one where "
                       "<sam/kokkos/backend.hpp> is included");
  static_assert(!known || value,
                "sam: the context is const, but a call uses the memory that it keeps; pass one "
                "that is not const");
};

template <class A>
inline constexpr bool is_location = std::is_same_v<std::remove_cvref_t<A>, std::source_location>;

/// Has an operator(), to detect another one. If T has one too, even a template, operator() is
/// ambiguous in a class that derives from both.
struct has_own_call_operator {
  void operator()() const;
};
template <class T>
struct with_two_call_operators : T, has_own_call_operator {};
template <class F>
inline constexpr bool has_call_operator = [] {
  using T = std::remove_cvref_t<F>;
  if constexpr (std::is_class_v<T> && !std::is_final_v<T>)
    return !requires { &with_two_call_operators<T>::operator(); };
  else if constexpr (std::is_class_v<T>)
    return requires { &T::operator(); };
  else
    return std::is_function_v<std::remove_pointer_t<T>> || std::is_member_pointer_v<T>;
}();

/// True for the types of outputs that compute where or what is stored, such as sam::transformed_to
/// returns.
template <class A>
inline constexpr bool is_computed_place = requires {
  typename std::remove_cvref_t<A>::computed_place;
};

/// True for an argument that may receive a single result: a variable that is neither an array nor a
/// function object.
template <class A>
inline constexpr bool is_variable =
    std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>> &&
    !has_call_operator<A> && !is_location<A> && !std::is_array_v<std::remove_reference_t<A>> &&
    !is_computed_place<A> && std::is_trivially_copyable_v<std::remove_reference_t<A>>;

/// True for an argument that receives results, and is not an option: an array or a variable.
template <class A>
inline constexpr bool is_place = array<A> || is_variable<A>;

/// The parameters of public functions, each with its name for run-time errors and these checks:
///
/// is_array     has contiguous items behind data() and size()
/// has_items    has items that are trivially copyable and not volatile
/// is_writable  has items that are not const
/// is_reached   lies in a memory space that Context can access, as far as types tell
/// is_place     is a variable or an array, for one result
/// is_kept      is not a temporary that owns its items, if the return value refers to them
/// holds_integers  has integer items
namespace parameter {

// A static_assert needs a literal, so the preprocessor inserts the name.
#define SAM_PARAMETER(parameter)                                                                   \
  struct parameter {                                                                               \
    static constexpr char const* name = #parameter;                                                \
    template <class A>                                                                             \
    struct is_array {                                                                              \
      using type = std::remove_cvref_t<A>;                                                         \
      static constexpr bool value = sam::array<A>;                                                 \
      static_assert(!packs_bools<type>,                                                            \
                    "sam: " #parameter " is a std::vector<bool>, which packs its items; pass a "   \
                    "std::vector<std::uint8_t>, or as flags sam::packed_bits of 32-bit words");    \
      static_assert(!has_rank_of_2_or_more<type>,                                                  \
                    "sam: " #parameter " is a View of rank 2 or more; pass a subview of rank 1, "  \
                    "or std::span(view.data(), view.size())");                                     \
      static_assert(!is_lazy<type>,                                                                \
                    "sam: " #parameter " is a computed input, such as sam::generated; it cannot "  \
                    "be written, and only the calls that docs/arguments.md names read it");        \
      static_assert(!is_computed_place<type>,                                                      \
                    "sam: " #parameter " is a computed output, such as sam::transformed_to; it "   \
                    "cannot be read, and only the calls that docs/arguments.md names write it");   \
      static_assert(!is_counted<type>,                                                             \
                    "sam: " #parameter " is sam::counted, which this call does not take; see "     \
                    "docs/arguments.md for those that do");                                        \
      static_assert(value || packs_bools<type> || has_rank_of_2_or_more<type> || is_lazy<type> ||  \
                        is_computed_place<type> || is_counted<type>,                               \
                    "sam: " #parameter " must be contiguous items in memory behind data() and "    \
                    "size(), such as a std::span, std::vector, C array or Kokkos::View; for a "    \
                    "pointer write std::span(pointer, n)");                                        \
    };                                                                                             \
    template <class A>                                                                             \
    struct has_items {                                                                             \
      using item = std::remove_const_t<element_of<A>>;                                             \
      static constexpr bool is_plain = !std::is_volatile_v<item>;                                  \
      static constexpr bool value =                                                                \
          is_plain && std::is_trivially_copyable_v<item> && std::is_copy_constructible_v<item>;    \
      static_assert(is_plain, "sam: " #parameter " has volatile items; pass an array whose items " \
                              "are not volatile");                                                 \
      static_assert(value || !is_plain,                                                            \
                    "sam: the items of " #parameter " must be trivially copyable; std::pair and "  \
                    "std::tuple are not, a struct of the same members is");                        \
    };                                                                                             \
    template <class A>                                                                             \
    struct is_writable {                                                                           \
      static constexpr bool value = output_array<A>;                                               \
      static_assert(value, "sam: the items of " #parameter " are const; pass an array that may "   \
                           "be written");                                                          \
    };                                                                                             \
    template <class Context, class A>                                                              \
    struct is_reached {                                                                            \
      static constexpr bool value =                                                                \
          is_within_reach<std::remove_cvref_t<Context>, std::remove_cvref_t<A>>;                   \
      static_assert(value, "sam: the context cannot reach the memory space of " #parameter         \
                           "; copy it to one that it can");                                        \
    };                                                                                             \
    template <class A>                                                                             \
    struct is_place {                                                                              \
      static constexpr bool value = sam::output_array<A> || is_variable<A>;                        \
      static_assert(value, "sam: " #parameter " must be a place for a result: a variable, or an "  \
                           "array of one item");                                                   \
    };                                                                                             \
    template <class A>                                                                             \
    struct is_kept {                                                                               \
      static constexpr bool value = outlives_call<A>;                                              \
      static_assert(value, "sam: " #parameter " is a temporary that owns its items, and is "       \
                           "destroyed before they are used; store it in a variable");              \
    };                                                                                             \
    template <class A>                                                                             \
    struct holds_integers {                                                                        \
      static constexpr bool value = integer<A>;                                                    \
      static_assert(value, "sam: " #parameter " must hold integers");                              \
    };                                                                                             \
  }
SAM_PARAMETER(a);
SAM_PARAMETER(after);
SAM_PARAMETER(b);
SAM_PARAMETER(before);
SAM_PARAMETER(begins);
SAM_PARAMETER(below);
SAM_PARAMETER(boundaries);
SAM_PARAMETER(count);
SAM_PARAMETER(counts);
SAM_PARAMETER(ends);
SAM_PARAMETER(flags);
SAM_PARAMETER(heads);
SAM_PARAMETER(in);
SAM_PARAMETER(indices);
SAM_PARAMETER(k);
SAM_PARAMETER(keys);
SAM_PARAMETER(keys_a);
SAM_PARAMETER(keys_b);
SAM_PARAMETER(keys_in);
SAM_PARAMETER(keys_out);
SAM_PARAMETER(lengths);
SAM_PARAMETER(number);
SAM_PARAMETER(offsets);
SAM_PARAMETER(out);
SAM_PARAMETER(sorted);
SAM_PARAMETER(stencil);
SAM_PARAMETER(sums);
SAM_PARAMETER(unique_keys);
SAM_PARAMETER(values);
SAM_PARAMETER(values_a);
SAM_PARAMETER(values_b);
SAM_PARAMETER(values_in);
SAM_PARAMETER(values_out);
SAM_PARAMETER(weights);
SAM_PARAMETER(words);
#undef SAM_PARAMETER

}  // namespace parameter

/// Checks an array that is read.
template <class Parameter, class Context, class A>
using reads_from = std::conjunction<typename Parameter::template is_array<A>,
                                    typename Parameter::template has_items<A>,
                                    typename Parameter::template is_reached<Context, A>>;
/// Checks an array that is written.
template <class Parameter, class Context, class A>
using writes_to = std::conjunction<
    typename Parameter::template is_array<A>, typename Parameter::template is_writable<A>,
    typename Parameter::template has_items<A>, typename Parameter::template is_reached<Context, A>>;

/// Names the item type of a variable or an array that receives results.
template <class A>
struct place_item {
  using type = std::remove_reference_t<A>;
};
template <array A>
struct place_item<A> {
  using type = item_of<A>;
};
template <class A>
using place_item_t = typename place_item<A>::type;

/// Checks a variable or an array that receives counts, which are integers.
template <class Parameter, class Context, class A, bool IsArray = array<A>>
struct counts_to : std::conjunction<typename Parameter::template is_place<A>,
                                    typename Parameter::template holds_integers<place_item_t<A>>> {
};
template <class Parameter, class Context, class A>
struct counts_to<Parameter, Context, A, true>
    : std::conjunction<writes_to<Parameter, Context, A>,
                       typename Parameter::template holds_integers<item_of<A>>> {};

/// Names the item type of an array, or an arbitrary type if A is none, for default template
/// arguments.
template <class A>
struct item_or_any {
  using type = unsigned char;
};
template <array A>
struct item_or_any<A> {
  using type = item_of<A>;
};
template <class A>
requires(is_lazy<A> || is_computed_place<A>) struct item_or_any<A> {
  using type = typename std::remove_cvref_t<A>::item;
};
template <class A>
using item_or_any_t = typename item_or_any<A>::type;

template <class In, class Out>
struct have_one_item_type {
  static constexpr bool value = std::is_same_v<item_or_any_t<In>, item_or_any_t<Out>>;
  static_assert(value, "sam: what goes in and what comes out must have the same item type");
};

}  // namespace sam::inline v0_1::detail
