#!/usr/bin/env bash
# Builds the pages as a site in build/site; fails on broken links. site_test checks the content.
source .ci/shared.sh

need_python tools/site/requirements.lock
python3 tools/site/build.py
