#!/bin/sh
# What action.yml runs: the audit against $BASE, then the goals and their verdicts as the summary of the job. $PLAN is the
# program; it must not come from the checkout. Ends as the audit does.
set -u
plan=${PLAN:-plan}
code=0
"$plan" audit --base "$BASE" ${RERUN:+--rerun} --format github || code=$?
{
    "$plan" report
    if [ "$code" -ne 0 ]; then
        printf '\n## Audit against `%s`\n\n```text\n' "$BASE"
        # A line of three backticks would end the block.
        "$plan" audit --base "$BASE" 2>&1 | sed 's/^```/ ```/'
        printf '```\n'
    fi
} >>"$GITHUB_STEP_SUMMARY"
exit "$code"
