// SPDX-License-Identifier: MIT
// Includes all headers that depend on the size of a warp. It has no guard, as
// <sam/launch/again.hpp> lets it be included for each size.

#include <sam/launch/histogram.hpp>
#include <sam/launch/runtime/teams.hpp>
#include <sam/launch/scan/few_segments.hpp>
#include <sam/launch/scan/plan_text.hpp>
#include <sam/launch/scan/run.hpp>
#include <sam/launch/scan/run_two.hpp>
#include <sam/launch/scan/search.hpp>
#include <sam/launch/scan/split.hpp>
#include <sam/launch/segmented/decode_runs.hpp>
#include <sam/launch/segmented/mark_bits.hpp>
#include <sam/launch/segmented/reduce_segments.hpp>
#include <sam/launch/segmented/scan_segments.hpp>
#include <sam/launch/segmented/select_in_segments.hpp>
#include <sam/launch/sort/merge.hpp>
#include <sam/launch/sort/plan_text.hpp>
#include <sam/launch/sort/segmented_sort.hpp>
#include <sam/launch/sort/sets.hpp>
#include <sam/launch/sort/sort.hpp>
#include <sam/launch/sort/sort_segments.hpp>
