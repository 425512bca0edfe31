import { expect, test } from 'bun:test'
import { failure } from './errors.ts'

/** Programs rely on these codes: a code is never changed, and a new error adds one. */
const CODES: Readonly<Record<string, string>> = {
  400: `
    base64-broken base64-missing body-cut body-empty chunks-broken digest-differs entry-broken entry-encrypted entry-method-unknown entry-of-system
    entry-special expression-invalid expression-too-slow external-expired fetch-address-broken fetch-credentials
    fetch-network fetch-port fetch-scheme file-empty file-field-missing file-name-missing
    folder-into-itself folder-unfit form-broken form-expected form-too-complex input-invalid json-broken mime-invalid
    operator-limited passkey-unusable path-invalid path-list-unequal path-missing request-malformed setting-invalid setting-unknown too-many-hits tus-checksum-unknown tus-length-invalid
    tus-metadata-invalid tus-offset-invalid
    webhook-missing webhook-unsaved zip-broken zip-overlapping
  `,
  401: `
    code-wrong login-step-over login-wrong passkey-refused session-missing ticket-invalid token-expired token-missing
  `,
  403: `
    cross-site delete-forbidden delete-outside-prefix drop-full drop-kind-forbidden external-denied external-invalid external-unmatched
    factor-required folder-forbidden invitation-invalid kind-forbidden new-code-wrong
    passkey-required password-wrong prefix-forbidden read-forbidden read-outside-prefix role-forbidden setup-code-wrong
  `,
  404: `
    account-absent action-absent archive-absent drop-absent factor-absent file-absent folder-absent invitation-absent logs-unknown passkey-absent picture-costly picture-damaged picture-undecodable
    presigned-unknown preview-absent provider-absent route-unknown session-absent share-absent size-absent size-unknown
    token-absent trash-entry-absent tus-absent
  `,
  405: `
    method-unknown
  `,
  408: `
    request-slow
  `,
  409: `
    account-external account-taken already-there archive-damaged changed-since clock-doubted factor-not-begun factor-present factor-unreadable
    first-account folders-collide last-account passkeys-impossible passkeys-many path-repeated path-shared path-taken
    replace-conflicts result-changed retention-running rows-lost setup-done setup-open sweep-running tus-offset-differs
  `,
  410: `
    tus-expired
  `,
  412: `
    precondition-failed tus-version-unknown
  `,
  413: `
    download-too-large drop-file-too-large json-around-too-large json-too-large quota-exceeded result-too-large share-too-large token-file-too-large too-many-files
    tus-too-long upload-too-large zip-too-large zip-too-many-entries zip-understated
  `,
  415: `
    body-encoded kind-unfit tus-type-unfit
  `,
  416: `
    range-unsatisfiable
  `,
  423: `
    tus-locked
  `,
  429: `
    drops-crowded login-locked logins-crowded share-zips-crowded sizes-crowded streams-crowded tickets-too-many tus-too-many
  `,
  431: `
    head-too-large
  `,
  460: `
    tus-checksum-differs
  `,
  500: `
    unexpected
  `,
  501: `
    method-not-implemented
  `,
  502: `
    provider-broken provider-refused provider-unreachable source-cut source-empty source-encoded source-malformed source-page source-redirects source-status
    source-unreachable source-unresolved source-untrusted
  `,
  503: `
    connections-crowded database-busy database-unavailable database-uncertain database-unflushed disk-broken disk-read-only pages-not-built provider-busy recorded-too-late size-not-ready starting status-disturbed status-impaired
    storage-damaged storage-unavailable too-many-open-files
  `,
  504: `
    source-too-slow
  `,
  505: `
    version-unknown
  `,
  507: `
    database-full storage-full
  `,
}

test('every error has the code that it always had, and its status', () => {
  const made = Object.values(failure).map(make =>
    (make as (...given: unknown[]) => { code: string; status: number })([], [], []),
  )
  const actual = Object.groupBy(made, ({ status }) => String(status))
  for (const [status, codes] of Object.entries(CODES))
    expect(actual[status]?.map(({ code }) => code).sort()).toEqual(codes.trim().split(/\s+/))
  expect(Object.keys(actual)).toEqual(Object.keys(CODES))
})
