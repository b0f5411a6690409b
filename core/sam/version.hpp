// SPDX-License-Identifier: MIT
// Defines the version of the library.
#pragma once

/// The version as a number: 10000 * major + 100 * minor + patch.
#define SAM_VERSION 100
