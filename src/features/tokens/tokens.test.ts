import { describe, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryResult } from 'kysely'
import { sha256 } from '../../base/hash/sha256.ts'
import { newId } from '../../base/ids.ts'
import { kyselyOnExecutor } from '../../database/sqlite/dialect.ts'
import { useInstance } from '../../testing/instance.ts'
import { tokenScope } from './bearer-header.ts'
import { createLastUseRecorder } from './last-used.ts'
import { findTokenByHash } from './tokens.store.ts'
import { createTokens } from './tokens.ts'

const { root, database } = await useInstance()
let clock = Date.UTC(2030, 0, 1)
const now = () => clock
const lastUsed = createLastUseRecorder({ database, now })
const tokens = createTokens({ database, lastUsed, newId, now })
const refusal = (clearText: string | null) => tokens.authenticate(clearText).catch(error => error)

describe('a new token', () => {
  test('is long, random and recognisable', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => tokens.create({ name: 'x' })))
    for (const { clearText } of made) expect(clearText).toMatch(/^media_[A-Za-z0-9_-]{43}$/)
    expect(new Set(made.map(({ clearText }) => clearText)).size).toBe(20)
    expect(new Set(made.map(({ token }) => token.id)).size).toBe(20)
  })

  test('comes back with all its limits', async () => {
    const limits = { praefix: 'items/', darf_loeschen: true, max_datei: 5, kontingent: 6, max_kante: 7 }
    const given = {
      name: 'x',
      ...limits,
      arten: ['video' as const, 'bilder' as const],
      gueltig_bis: clock + 1000,
    }
    const { clearText, token } = await tokens.create(given)
    const expected = { name: 'x', prefix: 'items/', mayDelete: true, maxFile: 5, quota: 6, maxEdge: 7 }
    for (const seen of [token, await tokens.authenticate(clearText)]) {
      expect(seen).toMatchObject({ ...expected, validUntil: clock + 1000 })
      expect(seen.kinds?.toSorted()).toEqual(['bilder', 'video'])
    }
  })

  test('without limits has none, and may not delete', async () => {
    const { clearText } = await tokens.create({ name: 'x' })
    const none = { prefix: null, maxFile: null, quota: null, kinds: null, validUntil: null, maxEdge: null }
    expect(await tokens.authenticate(clearText)).toMatchObject({ ...none, mayDelete: false })
  })
})

describe('the clear text', () => {
  test('stands nowhere in the files of the database; its hash does', async () => {
    const { clearText } = await tokens.create({ name: 'a token to look for' })
    await tokens.authenticate(clearText)
    await lastUsed.flush()
    const secret = clearText.slice('media_'.length)
    const hash = sha256(clearText)
    const files = (await readdir(root)).filter(name => name.startsWith('fundus.db'))
    const all = Buffer.concat(await Promise.all(files.map(async name => Bun.file(join(root, name)).bytes())))
    expect(files).toContain('fundus.db')
    expect([all.includes('a token to look for'), all.includes(hash)]).toEqual([true, true])
    for (const form of [
      clearText,
      secret,
      secret.slice(0, 16),
      Buffer.from(secret, 'base64url'),
      btoa(clearText),
    ])
      expect(all.includes(form)).toBe(false)
  })

  test('is in no answer but the first', async () => {
    const { clearText, token } = await tokens.create({ name: 'x' })
    const later = [
      token,
      await tokens.authenticate(clearText),
      await tokens.list(),
      await tokens.get(token.id),
    ]
    expect(JSON.stringify(later)).not.toContain(clearText.slice('media_'.length))
    expect(JSON.stringify(later)).not.toContain(sha256(clearText))
  })
})

describe('authentication', () => {
  test('refuses what is missing, unknown or only resembles a token', async () => {
    const { clearText } = await tokens.create({ name: 'x' })
    const other = clearText.endsWith('A') ? 'B' : 'A'
    const wrong = [
      null,
      '',
      'media_',
      `media_${'A'.repeat(43)}`,
      clearText.slice(0, -1),
      `${clearText}x`,
      clearText.slice(0, -1) + other,
      clearText.slice('media_'.length),
      clearText.toUpperCase(),
      ` ${clearText}`,
      sha256(clearText),
      "media_' or 1=1 --",
      'media_\0',
    ]
    for (const attempt of wrong)
      expect(await refusal(attempt)).toMatchObject({ code: 'token-missing', status: 401 })
    expect(await tokens.authenticate(clearText)).toMatchObject({ name: 'x' })
  })

  test('a token holds up to its date, and from then on is expired, with the date in the sentence', async () => {
    const until = Date.UTC(2030, 4, 17, 12)
    clock = until - 1
    const { clearText } = await tokens.create({ name: 'x', gueltig_bis: until })
    expect(await tokens.authenticate(clearText)).toMatchObject({ validUntil: until })
    for (const at of [until, until + 1, until + 1e10]) {
      clock = at
      const error = await refusal(clearText)
      expect(error).toMatchObject({ code: 'token-expired', status: 401 })
      expect(error.sentence).toContain('17. Mai 2030')
    }
  })

  test('an expired and an unknown token are told apart only by who has the secret', async () => {
    const { clearText } = await tokens.create({ name: 'x', gueltig_bis: clock - 1 })
    expect(await refusal(clearText)).toMatchObject({ code: 'token-expired' })
    expect(await refusal(`${clearText}x`)).toMatchObject({ code: 'token-missing' })
  })

  test('a withdrawn token is unknown', async () => {
    const { clearText, token } = await tokens.create({ name: 'x' })
    await tokens.withdraw(token.id)
    expect(await refusal(clearText)).toMatchObject({ code: 'token-missing' })
    expect(await tokens.withdraw(token.id).catch(error => error)).toMatchObject({ status: 404 })
  })
})

describe('a token in use', () => {
  const rename = (id: string, name: string) =>
    database.transaction(tx => tx.updateTable('token').set({ name }).where('id', '=', id).execute())

  test('is looked up once per state of the database, and again in the next', async () => {
    const { clearText, token } = await tokens.create({ name: 'before' })
    await database.currentState()
    await tokens.authenticate(clearText)
    await rename(token.id, 'after')
    expect(await tokens.authenticate(clearText)).toMatchObject({ name: 'before' })
    await database.currentState()
    expect(await tokens.authenticate(clearText)).toMatchObject({ name: 'after' })
    await tokens.withdraw(token.id)
    await database.currentState()
    expect(await refusal(clearText)).toMatchObject({ code: 'token-missing' })
  })

  test('is not remembered as it was in an earlier state', async () => {
    const { clearText } = await tokens.create({ name: 'before' })
    const before = await findTokenByHash(database.read, sha256(clearText))
    const answers = [Promise.withResolvers<QueryResult<never>>(), Promise.withResolvers<QueryResult<never>>()]
    const asked = answers.map(({ promise }) => promise)
    const read = kyselyOnExecutor({ executeQuery: () => asked.shift()! })
    let current = { version: 1, settings: new Map() }
    const overlapping = createTokens({
      database: { ...database, read, knownState: () => current },
      ...{ lastUsed, newId, now },
    })
    const slow = overlapping.authenticate(clearText)
    current = { ...current, version: 2 }
    const quick = overlapping.authenticate(clearText)
    answers[1]!.resolve({ rows: [{ ...before, name: 'after' } as never] })
    expect(await quick).toMatchObject({ name: 'after' })
    answers[0]!.resolve({ rows: [before as never] })
    expect(await slow).toMatchObject({ name: 'before' })
    expect(await overlapping.authenticate(clearText)).toMatchObject({ name: 'after' })
  })
})

test('a change that the history would describe as before makes an entry all the same', async () => {
  const { token } = await tokens.create({ name: 'x', praefix: 'a/' })
  await tokens.change(token.id, { name: 'x praefix=a/', praefix: null })
  const entries = () =>
    database.read
      .selectFrom('administration')
      .select('what')
      .where('what', '=', 'token_geaendert')
      .where('new', '=', 'x praefix=a/')
      .execute()
  expect(await entries()).toHaveLength(1)
  await tokens.change(token.id, { name: 'x praefix=a/', praefix: null })
  expect(await entries()).toHaveLength(1)
})

describe('the header', () => {
  const scope = tokenScope(tokens)
  const call = async (header: string | null) => {
    const request = new Request('http://x/', header === null ? {} : { headers: { Authorization: header } })
    return Promise.resolve(scope(request, { requestIP: () => null })).then(
      token => token.name,
      error => error.status,
    )
  }

  test('takes the scheme in any case, with blanks around', async () => {
    const { clearText } = await tokens.create({ name: 'x' })
    for (const header of [`Bearer ${clearText}`, `bearer ${clearText}`, `BEARER   ${clearText}  `])
      expect([header, await call(header)]).toEqual([header, 'x'])
  })

  test('refuses everything else', async () => {
    const { clearText } = await tokens.create({ name: 'x' })
    const basic = `Basic ${btoa(`x:${clearText}`)}`
    for (const header of [null, '', clearText, `Bearer${clearText}`, `Token ${clearText}`, 'Bearer', basic])
      expect([header, await call(header)]).toEqual([header, 401])
    for (const header of [`Bearer ${clearText} x`, `Bearer ${clearText},x`, `x Bearer ${clearText}`])
      expect([header, await call(header)]).toEqual([header, 401])
  })
})
