#!/usr/bin/env bash
# Runs the plans in /plan, and gives the roles that they create their passwords. Repeating it changes nothing else.
set -euo pipefail

run() {
  psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --host "$1" --username postgres --dbname "$2" "${@:3}"
}

# A password reaches psql by a variable of its own, quoted as a literal: it is on no command line.
password() {
  run "$1" "$2" <<SQL
\\getenv password TIDEMARK_${3}_PASSWORD
alter role tidemark_${3,,} password :'password';
SQL
}

run "${SOURCE_HOST:-source}" "${SOURCE_DATABASE:-app}" --file "${PLAN:-/plan}/source.sql"
run "${REPLICA_HOST:-replica}" "${REPLICA_DATABASE:-replica}" --file "${PLAN:-/plan}/replica.sql"

password "${SOURCE_HOST:-source}" "${SOURCE_DATABASE:-app}" CAPTURE
password "${SOURCE_HOST:-source}" "${SOURCE_DATABASE:-app}" GATEWAY
password "${REPLICA_HOST:-replica}" "${REPLICA_DATABASE:-replica}" PROJECTOR
password "${REPLICA_HOST:-replica}" "${REPLICA_DATABASE:-replica}" GATEWAY
