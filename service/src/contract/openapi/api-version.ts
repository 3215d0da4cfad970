/** Version of the API. openapi.json and snapshots name it; CHANGELOG.md says what each version changed. */
export const API_VERSION = '1.5.0'
