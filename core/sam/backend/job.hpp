// SPDX-License-Identifier: MIT
// Defines the interface between primitives and back ends: a job over n items, run under a resolved
// scan policy. Each kind of job has a header in job/ with its concept and its members.
#pragma once

#include <sam/backend/job/contiguous.hpp>
#include <sam/backend/job/elementwise.hpp>
#include <sam/backend/job/generating.hpp>
#include <sam/backend/job/partitioning.hpp>
#include <sam/backend/job/recurrence.hpp>
#include <sam/backend/job/reducing.hpp>
#include <sam/backend/job/reversed.hpp>
#include <sam/backend/job/scattering.hpp>
#include <sam/backend/job/segmented.hpp>
#include <sam/backend/pointers.hpp>
#include <sam/backend/resolved_policy.hpp>
#include <sam/base/callable.hpp>
