#!/usr/bin/env bash
# The pages as a site, in build/site: it can be built, and no link of it leads nowhere.
source .ci/shared.sh

need_python tools/site/requirements.lock
python3 tests/tools/site_test.py
python3 tools/site/build.py
