/** The version of the API, given in openapi.json and snapshots. CHANGELOG.md describes what changed in each version. */
export const API_VERSION = '1.5.0'
