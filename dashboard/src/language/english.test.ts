/** English is a complete second language: every sentence for the dashboard has an English counterpart. */
import { expect, test } from 'bun:test'
import { FINDING_SENTENCES, findingCode } from '../../../src/contract/service/maintenance.ts'
import { CHECK_CODES } from '../../../src/contract/service/status.ts'
import { WARNING_CODES } from '../../../src/contract/service/warnings.ts'
import { WEBHOOK_PROBLEMS } from '../../../src/contract/service/webhook.ts'
import { ENGLISH_SENTENCES } from '../../../src/contract/words/english.ts'
import { backupTrouble, failure, rehearsalTrouble } from '../../../src/errors/errors.ts'

/** Errors that neither the dashboard nor a command can get. */
const NEVER_MET = new Set([
  // They delete nothing with a token, and send no form to the compatibility routes.
  'delete-forbidden',
  'delete-outside-prefix',
  'kind-unfit',
  'presigned-unknown',
  'logs-unknown',
  'base64-broken',
  'base64-missing',
  'mime-invalid',
  'json-around-too-large',
  // The dashboard shows the checks of `/status`; without built pages there is no dashboard.
  'status-disturbed',
  'status-impaired',
  'pages-not-built',
])

type Make = (...given: unknown[]) => { code: string }
const codesOf = (catalogue: object) =>
  Object.values(catalogue).map(make => {
    const listed = Object.assign([], { count: 0, names: [] })
    return (make as Make)(listed, listed, listed).code
  })

const CODES = [
  ...codesOf(failure),
  ...codesOf(backupTrouble),
  ...codesOf(rehearsalTrouble),
  ...CHECK_CODES,
  ...WARNING_CODES,
  ...(Object.keys(FINDING_SENTENCES) as (keyof typeof FINDING_SENTENCES)[]).map(findingCode),
  ...Object.keys(WEBHOOK_PROBLEMS).map(name => `webhook-${name}`),
  // The dashboard's own message about an answer that is not the service's.
  'answer-unexpected',
]

test('every code has an English sentence, or nobody who reads English meets it', () => {
  expect(CODES.filter(code => !(code in ENGLISH_SENTENCES) && !NEVER_MET.has(code))).toEqual([])
})

test('no two sentences share a code, and no English sentence is without one', () => {
  expect(CODES.length).toBe(new Set(CODES).size)
  expect(Object.keys(ENGLISH_SENTENCES).filter(code => !CODES.includes(code))).toEqual([])
  expect([...NEVER_MET].filter(code => code in ENGLISH_SENTENCES || !CODES.includes(code))).toEqual([])
})

test.each(Object.entries(ENGLISH_SENTENCES))('%s is a whole sentence without German', (_, sentence) => {
  expect(sentence).toMatch(/^[A-Z].*\.$/)
  expect(sentence).not.toMatch(/[äöüß„“]|\b(?:der|die|das|und|nicht|Datei|Ordner)\b/)
})
