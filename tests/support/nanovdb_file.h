// SPDX-License-Identifier: MIT
#pragma once

#define NANOVDB_USE_ZIP  // wisp writes compressed grids
#include <gtest/gtest.h>
#include <nanovdb/util/GridValidator.h>
#include <nanovdb/util/IO.h>

#include <map>
#include <sstream>
#include <string>

namespace wisp::test {

/// The grids of a file by name, read with NanoVDB's own reader. Throws if the file is invalid.
struct NanoVdb {
    std::map<std::string, nanovdb::GridHandle<>> grids;

    explicit NanoVdb(const std::string& bytes) {
        std::istringstream in(bytes);
        for (nanovdb::GridHandle<>& handle : nanovdb::io::readGrids<nanovdb::HostBuffer, std::vector>(in)) {
            const std::string name = handle.gridMetaData()->shortGridName();
            grids[name] = std::move(handle);
        }
    }
    template <class Value>
    [[nodiscard]] const nanovdb::NanoGrid<Value>& grid(const std::string& name) const {
        const auto* grid = grids.at(name).grid<Value>();
        if (!grid) throw std::runtime_error(name + " has another type");
        EXPECT_TRUE(nanovdb::isValid(*grid, true, true)) << name;
        return *grid;
    }
};

}  // namespace wisp::test
