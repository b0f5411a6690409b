// SPDX-License-Identifier: MIT
#pragma once

/// 10000 * major + 100 * minor + patch.
#define SAM_VERSION 100
