#!/bin/sh
# Repairs the packages that a pull request changes, pushes the repair onto its branch, and leaves one comment.
# `bailiwick fleet step` wrote this file. It needs git, gh and bailiwick on the path.
#
# What the pull request holds is not trusted: the list of packages is read from the base branch, and no token is in the
# environment of bailiwick or of what it starts.
set -eu

: "${REPOSITORY:?set it to owner/name of the SDK repository}"
: "${PULL_REQUEST:?set it to the number of the pull request}"
: "${BRANCH:?set it to the branch of the pull request}"
: "${BASE:?set it to the commit of the base branch}"
: "${SDK:?set it to the directory where the branch of the pull request is checked out, with its history}"
: "${SPECIFICATIONS:?set it to the directory of a clone of the specifications}"
: "${GH_TOKEN:?set it to a token that may comment on the pull request and push to its branch}"
TIME_LIMIT=${TIME_LIMIT:-3000}                 # seconds for the whole run
LABEL=${LABEL:-bailiwick-repair}               # the label that asks for a repair
PACKAGES=${PACKAGES:-eng/bailiwick-repair.txt} # patterns of the packages that may be repaired, on the base branch

# A variable that was exported stays exported when it gets another value.
unset token
token=$GH_TOKEN
unset GH_TOKEN GITHUB_TOKEN
github() { GH_TOKEN=$token gh "$@"; }
repository() { git -c core.hooksPath=/dev/null -C "$SDK" "$@"; }

# The stop switch: a variable of the pipeline. Whatever it says but `on` stops.
if [ "${BAILIWICK_REPAIR:-on}" != on ]; then
    echo "repairs are switched off"
    exit 0
fi
if ! github api "repos/$REPOSITORY/issues/$PULL_REQUEST/labels" --jq '.[].name' | grep -Fqx "$LABEL"; then
    echo "the pull request does not have the label $LABEL"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! repository show "$BASE:$PACKAGES" >"$work/packages"; then
    echo "the base branch has no list $PACKAGES, so no package is repaired"
    exit 0
fi

# Writes the one comment. $1 is its file.
comment() {
    earlier=$(cat "$work/earlier-id")
    if [ -n "$earlier" ]; then
        github api --method PATCH "repos/$REPOSITORY/issues/comments/$earlier" -F "body=@$1" >"$work/answer"
    else
        github api --method POST "repos/$REPOSITORY/issues/$PULL_REQUEST/comments" -F "body=@$1" >"$work/answer"
    fi
}

# A comment of a person that begins like ours is not ours.
own='.[] | select(.user.type == "Bot") | select(.body | startswith("<!-- bailiwick-repair ")) | .id'
github api --paginate "repos/$REPOSITORY/issues/$PULL_REQUEST/comments?per_page=100" --jq "$own" | head -n 1 >"$work/earlier-id"
: >"$work/earlier"
if [ -s "$work/earlier-id" ]; then
    github api "repos/$REPOSITORY/issues/comments/$(cat "$work/earlier-id")" --jq .body >"$work/earlier"
fi

failed() {
    [ -s "$work/earlier" ] ||
        echo '<!-- bailiwick-repair {"runs":0,"done":0,"repaired":0,"notDone":0,"seconds":0} -->' >"$work/earlier"
    printf '%s\n%s\n' "$(head -n 1 "$work/earlier")" "bailiwick could not work on this pull request: $1. The log of the pipeline says more." >"$work/comment"
    comment "$work/comment"
    exit 1
}

head=$(repository rev-parse HEAD)
result=0
bailiwick fleet plan --sdk "$SDK" --spec "$SPECIFICATIONS" --do fix --changed-since "$BASE" --only "@$work/packages" \
    --output "$work/fleet.json" || failed "its packages could not be planned"
fleet=$(sed -n 's/^  "fleet": "\([0-9A-Za-z-]*\)",\{0,1\}$/\1/p' "$work/fleet.json")
bailiwick fleet run "$work/fleet.json" --time-limit "$TIME_LIMIT" || result=$?
[ "$result" -le 1 ] || failed "the run ended with code $result"
bailiwick fleet report "$fleet" --format comment --earlier "$work/earlier" --output "$work/comment" ||
    [ -s "$work/comment" ] || failed "there is no report"

# The label is the word of the person who has to agree.
collected="bailiwick-repair/$fleet"
if bailiwick fleet collect "$fleet" --branch "$collected" --yes; then
    # Without --force: if the branch moved meanwhile, it stays as it is.
    if GH_TOKEN=$token repository -c credential.helper= -c "credential.helper=!gh auth git-credential" \
        push --quiet origin "$collected:refs/heads/$BRANCH"; then
        # Without the name of the branch, which may hold Markdown.
        printf '\nPushed onto this branch, from %s to %s.\n' "$head" "$(repository rev-parse "$collected")" >>"$work/comment"
    else
        printf '\nThe repair could not be pushed: the branch moved, or the token may not push.\n' >>"$work/comment"
        result=1
    fi
fi

comment "$work/comment"
github api --method DELETE "repos/$REPOSITORY/issues/$PULL_REQUEST/labels/$LABEL" >"$work/answer" || true
exit "$result"
