// SPDX-License-Identifier: MIT
// Defines run-time checks of the arguments of public functions. A check that fails throws
// sam::invalid_argument, which names the function, the parameter and the caller's line. Nothing is
// written before all checks have passed.
#pragma once

#include <sam/arguments/argument.hpp>
#include <sam/context.hpp>
#include <sam/error.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sam::inline v0_1::detail {

/// Describes the memory of an array without its item type, so that checks are compiled only once.
struct extent {
  void const* data;
  index_t items;
  std::size_t item_bytes;
  char const* name;  // of the parameter

  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(data); }
  std::uintptr_t end() const { return begin() + static_cast<std::uintptr_t>(items) * item_bytes; }
};

/// An array argument that has passed its checks, with the parameter's name for messages.
template <class T>
struct checked_array {
  T* data;
  index_t size;
  char const* name;
  // A template, so that function lookup for T does not instantiate it.
  template <std::same_as<extent> Extent>
  operator Extent() const {
    return {data, size, sizeof(T), name};
  }
};

/// Holds a part of an error's text: characters or a number.
class text_part {
 public:
  text_part(char const* text) : text_(text) {}
  text_part(std::string const& text) : text_(text) {}
  template <std::integral N>
  text_part(N number) : number_(static_cast<index_t>(number)), is_number_(true) {}
  void append_to(std::string& all) const {
    if (is_number_)
      all += std::to_string(number_);
    else
      all += text_;
  }

 private:
  std::string_view text_;
  index_t number_ = 0;
  bool is_number_ = false;
};

/// True for arrays that have a label, such as Kokkos::View.
template <class A>
concept has_label = requires(A const& a) {
  { a.label() } -> std::convertible_to<std::string>;
};

inline bool lie_apart(extent const& a, extent const& b) {
  return a.begin() == a.end() || b.begin() == b.end() || b.end() <= a.begin() ||
         a.end() <= b.begin();
}

/// Checks arguments of one call, as far as no context is needed.
class call_checks {
 public:
  call_checks(char const* function, std::source_location at) : function_(function), at_(at) {}

  char const* function() const { return function_; }
  std::source_location at() const { return at_; }

  /// Throws sam::invalid_argument with the parameter's name and a problem assembled from parts.
  template <class... Parts>
  [[noreturn]] void refuse(std::string_view parameter, Parts const&... parts) const {
    text_part const problem[] = {text_part(parts)...};
    refuse(parameter, std::span<text_part const>(problem));
  }
  [[noreturn]] void refuse(std::string_view parameter, std::span<text_part const> problem) const {
    std::string text;
    for (text_part const& part : problem)
      part.append_to(text);
    append_labels(text);
    sam::detail::fail<invalid_argument>(function_, parameter, text, at_);
  }

  /// Rejects `a` unless it holds as many items as `b`.
  void same_size(extent const& a, extent const& b) const {
    if (a.items != b.items)
      refuse(a.name, "holds ", a.items, " items but ", b.name, " holds ", b.items,
             "; both must hold the same number");
  }
  /// Rejects `out` if it overlaps `in`, unless both are the same array.
  void same_or_apart(extent const& out, extent const& in) const {
    bool const same = in.data == out.data && in.item_bytes == out.item_bytes;
    if (!same && !lie_apart(in, out))
      refuse(out.name, "overlaps ", in.name,
             " without being the same array; pass the same items to work in place, "
             "or memory apart from ",
             in.name);
  }
  /// Rejects `a` if it overlaps `b` at all.
  void apart(extent const& a, extent const& b) const {
    if (!lie_apart(a, b))
      refuse(a.name, "overlaps ", b.name, "; the two must lie apart");
  }
  /// Rejects `a` unless it holds `wanted` items; `because` is the reason for the message.
  void size_is(extent const& a, index_t wanted, char const* because) const {
    if (a.items != wanted)
      refuse(a.name, "holds ", a.items, " items but must hold ", wanted, ", ", because);
  }
  /// Rejects a number below a limit.
  void at_least(char const* parameter, index_t x, index_t limit) const {
    if (x < limit)
      refuse(parameter, "is ", x, "; it must be at least ", limit);
  }
  /// Rejects an array called `parameter` whose integers, of type T, cannot hold `largest`.
  template <integer T>
  void fits(char const* parameter, index_t largest) const {
    if constexpr (sizeof(T) < sizeof(index_t))
      if (largest > static_cast<index_t>(highest_of<T>))
        refuse(parameter, "holds integers of up to ", highest_of<T>, " but may have to hold ",
               largest);
  }

  /// Returns the items of an array. Rejects one that is not contiguous, or has items but a null
  /// pointer.
  template <class T, array A>
  checked_array<T> items(char const* parameter, A&& a) const {
    note_label(parameter, a);
    if constexpr (has_dynamic_rank<A>)
      if (static_cast<index_t>(a.rank()) > 1)
        refuse(parameter, "is a View of rank ", a.rank(),
               "; it must be of rank 1, as std::span(view.data(), view.size()) is");
    if (!sam::detail::is_contiguous(a))
      refuse(parameter, "is a strided view; it must be contiguous in memory");
    T* const data = sam::detail::raw_pointer(std::data(a));
    index_t const size = sam::size_of(a);
    if (size < 0 || (size != 0 && data == nullptr))
      refuse_memory(parameter, size);
    return {data, size, parameter};
  }

  /// Notes the label of an array that has one, such as a Kokkos::View, for messages.
  template <class A>
  void note_label(char const* parameter, A const& a) const {
    if constexpr (has_label<A>)
      if (labelled_ < most_labels)
        labels_[labelled_++] = {parameter, std::addressof(a), [](void const* array) {
                                  return std::string(static_cast<A const*>(array)->label());
                                }};
  }

 private:
  /// A parameter whose argument has a label, which is only read for a message.
  struct labelled_argument {
    char const* parameter;
    void const* array;
    std::string (*label)(void const* array);
  };
  static constexpr int most_labels = 8;

  void append_labels(std::string& text) const {
    char const* before = " (";
    for (int k = 0; k < labelled_; ++k) {
      std::string const label = labels_[k].label(labels_[k].array);
      if (label.empty())
        continue;
      text += before + std::string(labels_[k].parameter) + " is the View \"" + label + '"';
      before = ", ";
    }
    if (*before == ',')
      text += ')';
  }
  [[noreturn, gnu::cold]] void refuse_memory(char const* parameter, index_t size) const {
    if (size < 0)
      refuse(parameter, "has a size of ", size, "; it must not be negative");
    refuse(parameter, "is a null pointer but should hold ", size, " items");
  }

  char const* function_;
  std::source_location at_;
  mutable labelled_argument labels_[most_labels];
  mutable int labelled_ = 0;
};

/// Represents a call of a public function while it runs: its name and source location for messages,
/// the context, and the context's object for the call.
template <class Context>
class checked_call : public call_checks {
 public:
  checked_call(Context& context, char const* function, std::source_location at)
      : call_checks(function, at), context_(context), kept_(begin(context, function, at)) {}
  checked_call(checked_call const&) = delete;

  Context& context() const { return context_; }

  /// Throws as refuse does, because of what work has found in an array. While the context measures,
  /// it runs no work, so that nothing is found.
  template <class... Parts>
  void refuse_found(std::string_view parameter, Parts const&... parts) const {
    if (!engine::measures(context_))
      refuse(parameter, parts...);
  }

  /// Returns the array. Rejects one that the context knows it cannot access.
  template <class T>
  checked_array<T> reached(checked_array<T> const& a) const {
    if constexpr (checks_pointers<Context>)
      if (a.size != 0 && !context_.reaches_pointer(a.data))
        refuse(a.name, "lies in memory that ", context_.name(),
               " cannot reach; copy it there first");
    return a;
  }

  /// Returns an array that is read. Rejects one that is not accessible, or not contiguous unless
  /// the context copies it.
  template <class Parameter, array A>
  checked_array<item_of<A> const> input(A const& a) const {
    if constexpr (requires { kept_.contiguous(a); })
      if (!a.span_is_contiguous()) {
        this->note_label(Parameter::name, a);
        return {kept_.contiguous(a), sam::size_of(a), Parameter::name};
      }
    return reached(items<item_of<A> const>(Parameter::name, a));
  }
  /// Returns an array that is written. Rejects one that is not accessible, or not contiguous unless
  /// the context copies it.
  template <class Parameter, array A>
  checked_array<item_of<A>> output(A& a) const {
    if constexpr (requires { kept_.written_back(a); })
      if (!a.span_is_contiguous()) {
        this->note_label(Parameter::name, a);
        return {kept_.written_back(a), sam::size_of(a), Parameter::name};
      }
    return reached(items<item_of<A>>(Parameter::name, a));
  }
  /// Returns an array of `number` integers that can hold n each. Rejects one that overlaps any of
  /// `others`.
  template <class Parameter, array A, class... Others>
  checked_array<item_of<A>> counts(A& a, index_t number, index_t n, Others const&... others) const {
    auto const places = output<Parameter>(a);
    if (places.size != number)
      refuse(places.name, "holds ", places.size, " items; it must hold ", number);
    fits<item_of<A>>(places.name, n);
    (apart(places, others), ...);
    return places;
  }

 private:
  static auto begin(Context& context, char const* function,
                    [[maybe_unused]] std::source_location at) {
    if constexpr (guards_calls<Context>)
      return context.begin_call(function, at);
    else
      return 0;
  }

  Context& context_;
  mutable decltype(begin(std::declval<Context&>(), nullptr, {})) kept_;
};
template <class Context>
checked_call(Context&, char const*, std::source_location) -> checked_call<Context>;

/// Calls use(place) with an array of one item for the variable or array that the caller passed. If
/// the device cannot access a variable, the result is copied to it, for which the call waits.
template <class Context, class Place, class Use>
void with_place(Context& context, Place& place, Use const& use) {
  if constexpr (array<Place>) {
    use(place);
  } else {
    std::span<Place, 1> const variable(std::addressof(place), 1);
    if constexpr (!works_on_device<Context>)
      return use(variable);
    if constexpr (checks_pointers<Context>)
      if (context.reaches_pointer(std::addressof(place)))
        return use(variable);
    if constexpr (works_on_device<Context>)
      place = engine::result_of<Place>(context, [&](Place* result) {
        std::span<Place, 1> const reached(result, 1);
        use(reached);
      });
  }
}

}  // namespace sam::inline v0_1::detail
