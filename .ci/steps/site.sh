#!/usr/bin/env bash
# The pages as a site, in build/site: it can be built, and no link of it leads nowhere. What would be told is asked in site_test.
source .ci/shared.sh

need_python tools/site/requirements.lock
python3 tools/site/build.py
