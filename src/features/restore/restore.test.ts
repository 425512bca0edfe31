import { afterAll, describe, expect, test } from 'bun:test'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { type Manifest, WHOLE_ARCHIVE_FORMAT } from '../../contract/service/backup-archive.ts'
import { MIGRATION_NAMES } from '../../database/migrate.ts'
import type { InstanceReplacement, NewRowsTarget } from '../../database/replacement.ts'
import { beginSqliteInstanceReplacement } from '../../database/sqlite/replacement.ts'
import { openSqlite } from '../../database/sqlite/sqlite.ts'
import { createArchiveWriter } from '../backup/archive/archive-writer.ts'
import { openBackupInstance } from '../backup/testing.ts'
import { restoreArchive } from './restore.ts'
import { ROWS_PER_STATEMENT } from './rows.ts'

const world = await openBackupInstance()
afterAll(() => world[Symbol.asyncDispose]())
let made = 0
const newFolder = () => join(world.root, `into-${++made}`)

/** An archive with these rows and files, valid or not. */
async function archiveOf(
  media: Record<string, unknown>[],
  options: { schema?: readonly string[]; files?: string[] } = {},
) {
  const file = join(world.root, `${++made}.tar`)
  await using writer = await createArchiveWriter(file, 0)
  await writer.appendEntry(
    'datenbank/media.jsonl',
    media.map(row => Buffer.from(`${JSON.stringify(row)}\n`)),
  )
  for (const name of options.files ?? []) await writer.appendEntry(name, [Buffer.from('a')])
  const manifest: Omit<Manifest, 'pruefsummen_ab'> = {
    format: WHOLE_ARCHIVE_FORMAT,
    dienst: 'x',
    version: '0',
    zeit: 1,
    tabellen: {},
    zaehler: { media: 40 },
    dateien: media.length,
    papierkorb: 0,
    bytes: 1,
    fehlend: { anzahl: 0, namen: [] },
    veraendert: { anzahl: 0, namen: [] },
    schema: [...(options.schema ?? MIGRATION_NAMES)],
  }
  await writer.finish(manifest)
  return file
}

const row = {
  nr: 7,
  id: '0123456789abcdef',
  path: 'a.txt',
  object: 'files/x',
  size: 1,
  mime: 'text/plain',
  kind: 'dokumente',
  sha256: Bun.SHA256.hash('a', 'hex'),
  token_id: null,
  created_at: 1,
  updated_at: 2,
  derived: 'done',
  datei: 'dateien/a.txt',
}
const restore = (file: string, dataDir: string) => {
  const begin = () => beginSqliteInstanceReplacement({ dataDir, newId, now: Date.now })
  return restoreArchive({ begin, onProgress: () => {} }, { address: file, location: dataDir, force: false })
}

describe('an archive of another version', () => {
  test('of an earlier one is brought to the newest schema by opening it', async () => {
    const into = newFolder()
    await restore(
      await archiveOf([row], { schema: ['0001-heart', '0002-token-usage'], files: ['dateien/a.txt'] }),
      into,
    )
    const database = await openSqlite({ file: join(into, 'fundus.db') })
    expect(await database.servedFile('a.txt')).toMatchObject({ nr: 7, size: 1 })
    expect(await database.read.selectFrom('folder_usage').select(['folder', 'files']).execute()).toEqual([
      { folder: '', files: 1 },
    ])
    const last = await database.queryTraits.lastNumber('media').execute(database.read)
    expect(last.rows).toEqual([{ last: 40 }])
    await database.close()
  })

  test('of a newer one is refused', async () => {
    const into = newFolder()
    const file = await archiveOf([row], {
      schema: [...MIGRATION_NAMES, '9999-future'],
      files: ['dateien/a.txt'],
    })
    await expect(restore(file, into)).rejects.toThrow(/neueren Version.*9999-future/)
    await expect(readdir(into)).rejects.toThrow()
  })
})

describe('rows that no backup writes are refused, and nothing is left', () => {
  test.each([
    ['a path that leads elsewhere', { ...row, path: '../../etc/passwd' }, 'path'],
    ['an absolute path', { ...row, path: '/etc/passwd' }, 'path'],
    ['an id that leads elsewhere', { ...row, id: '../x' }, 'id'],
    ['a number that is none', { ...row, nr: '1' }, 'nr'],
    ['a number below all numbers', { ...row, nr: -1 }, 'nr'],
    ['no number', { ...row, nr: undefined }, 'nr'],
    ['a size that is none', { ...row, size: -1 }, 'size'],
    ['a hash that is none', { ...row, sha256: 'x"\r\n' }, 'sha256'],
    ['a column that does not exist', { ...row, nonsense: 1 }, ''],
    ['no name in the archive', { ...row, datei: undefined }, 'datei'],
  ])('%s', async (_, bad, column) => {
    const into = newFolder()
    const file = await archiveOf([bad], { files: ['dateien/a.txt'] })
    const refusal = await restore(file, into).catch(error => String(error.sentence))
    expect(refusal).toMatch(/^Zeile 1 von „datenbank\/media\.jsonl“ /)
    expect(refusal).toContain(column && `(${column})`)
    expect(await readdir(into)).toEqual([])
  })

  test('two rows of one path', async () => {
    const into = newFolder()
    const file = await archiveOf([row, { ...row, nr: 8, id: 'f'.repeat(16) }], { files: ['dateien/a.txt'] })
    await expect(restore(file, into)).rejects.toThrow(/datenbank\/media\.jsonl/)
    expect(await readdir(into)).toEqual([])
  })

  test('a file that no row owns', async () => {
    const into = newFolder()
    const file = await archiveOf([row], { files: ['dateien/a.txt', 'dateien/b.txt'] })
    await expect(restore(file, into)).rejects.toThrow(/dateien\/b\.txt/)
    expect(await readdir(into)).toEqual([])
  })
})

describe('a hostile archive, its checksums right: refused with a sentence, nothing written inside or outside', () => {
  async function refusalOf(file: string): Promise<string> {
    const into = newFolder()
    const around = await readdir(world.root)
    const sentence = await restore(file, into).then(
      () => 'restored',
      (error: { sentence?: string }) => error.sentence ?? String(error),
    )
    expect(
      (await readdir(world.root)).filter(name => !around.includes(name) && join(world.root, name) !== into),
    ).toEqual([])
    expect(await readdir(into).catch(() => [])).toEqual([])
    expect(sentence).toMatch(/[.]$/)
    return sentence
  }
  /** Changes the header of the file in the archive and corrects the header's checksum. */
  async function withHeader(file: string, change: (header: Buffer) => void): Promise<string> {
    const bytes = await readFile(file)
    const at = bytes.indexOf('dateien/a.txt\0')
    const header = bytes.subarray(at, at + 512)
    change(header)
    header.fill(' ', 148, 156)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    await writeFile(file, bytes)
    return file
  }
  const plain = () => archiveOf([row], { files: ['dateien/a.txt'] })

  test.each([
    '../../fundus-outside.txt',
    '/tmp/fundus-outside.txt',
    'dateien/../../fundus-outside.txt',
    'dateien/.ssh/authorized_keys',
    'C:\\fundus-outside.txt',
    'dateien/a\\..\\b.txt',
    'datenbank/../fundus-outside.jsonl',
    'papierkorb/../1/a.txt',
    'fundus.db',
  ])('path traversal by the name %s', async name => {
    expect(await refusalOf(await archiveOf([row], { files: ['dateien/a.txt', name] }))).toMatch(
      /den Namen .* den keine Sicherung hat/,
    )
  })

  test.each([
    ['a hard link', '1'],
    ['a symbolic link', '2'],
    ['a character device', '3'],
    ['a block device', '4'],
    ['a folder', '5'],
    ['a pipe', '6'],
  ])('%s', async (_, type) => {
    const file = await withHeader(await plain(), header => {
      header.write(type, 156, 'latin1')
      header.write('/etc/passwd', 157, 'latin1')
    })
    await refusalOf(file)
  })

  test.each(['77777777777', '00000000000', '-0000000001'])(
    'a size of %s',
    async size =>
      void (await refusalOf(await withHeader(await plain(), header => header.write(size, 124, 'latin1')))),
  )

  test('the same name twice', async () =>
    void (await refusalOf(await archiveOf([row], { files: ['dateien/a.txt', 'dateien/a.txt'] }))))

  test('cut off, at every block', async () => {
    const file = await plain()
    const whole = await readFile(file)
    for (let length = 0; length < whole.length; length += 512) {
      await writeFile(file, whole.subarray(0, length))
      await refusalOf(file)
    }
  })

  test('content that is not what its checksum says', async () => {
    const file = await plain()
    const bytes = await readFile(file)
    const content = bytes.indexOf('dateien/a.txt\0') + 512
    bytes[content]! ^= 1
    await writeFile(file, bytes)
    expect(await refusalOf(file)).toContain('dateien/a.txt')
  })

  test('a bomb: one row of 20 MB', async () =>
    void (await refusalOf(
      await archiveOf([{ ...row, mime: 'x'.repeat(20 * 1024 * 1024) }], { files: ['dateien/a.txt'] }),
    )))

  test.each(['__proto__', 'constructor', 'toString'])('a column and a table called %s', async name => {
    const bad = JSON.parse(`{"${name}": {"polluted": 1}}`) as object
    await refusalOf(
      await archiveOf([Object.assign(Object.create(null), row, bad)], { files: ['dateien/a.txt'] }),
    )
    await refusalOf(await archiveOf([row], { files: ['dateien/a.txt', `datenbank/${name}.jsonl`] }))
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('the twin: as it was written it is restored', async () => {
    const into = newFolder()
    await restore(await plain(), into)
    expect(await readdir(into)).toContain('fundus.db')
  })
})

test('a row that is wrong in what name and bytes tell comes back corrected, and is reported', async () => {
  const into = newFolder()
  const wrong = [
    { mime: 'text/plain\r\nX: 1' },
    { mime: 7 },
    { kind: 'unsinn' },
    { kind: 'video' },
    { size: 99 },
    {},
  ].map((change, at) => ({
    ...row,
    ...change,
    nr: at + 1,
    id: `${at}`.repeat(16),
    path: `${at}.txt`,
    datei: `dateien/${at}.txt`,
  }))
  const file = await archiveOf(wrong, { files: wrong.map(({ datei }) => datei) })
  const { corrected, altered } = await restore(file, into)
  expect([corrected, altered]).toEqual([['0.txt', '1.txt', '2.txt', '3.txt', '4.txt'], []])
  const database = await openSqlite({ file: join(into, 'fundus.db') })
  const found = await database.read.selectFrom('media').select(['mime', 'kind', 'size']).execute()
  expect(found).toEqual(Array(6).fill({ mime: 'text/plain', kind: 'dokumente', size: 1 }))
  expect(await database.read.selectFrom('folder_usage').select(['kind', 'files', 'bytes']).execute()).toEqual(
    [{ kind: 'dokumente', files: 6, bytes: 6 }],
  )
  await database.close()
})

test('what was given up stays given up, what can be derived is to be made, the rest is done', async () => {
  const into = newFolder()
  const rows = [
    { ...row, derived: 'done', variant_size: 5, preview_size: 6 },
    {
      ...row,
      nr: 8,
      id: '1'.repeat(16),
      path: 'b.png',
      mime: 'image/png',
      datei: 'dateien/b.png',
      variant_size: 5,
    },
    {
      ...row,
      nr: 9,
      id: '2'.repeat(16),
      path: 'c.png',
      mime: 'image/png',
      datei: 'dateien/c.png',
      derived: 'failed',
    },
  ].map(each => ({ variant_size: null, preview_size: null, ...each }))
  await restore(await archiveOf(rows, { files: ['dateien/a.txt', 'dateien/b.png', 'dateien/c.png'] }), into)
  const database = await openSqlite({ file: join(into, 'fundus.db') })
  const found = await database.read
    .selectFrom('media')
    .select(['path', 'derived', 'variant_size', 'preview_size'])
    .orderBy('nr')
    .execute()
  expect(found.map(({ path, derived }) => [path, derived])).toEqual([
    ['a.txt', 'done'],
    ['b.png', 'pending'],
    ['c.png', 'failed'],
  ])
  for (const { variant_size, preview_size } of found)
    expect([variant_size, preview_size]).toEqual([null, null])
  await database.close()
})

test('each row is written before its bytes, so that an interrupted restore knows every object it has left', async () => {
  const rows = Array.from({ length: 2 * ROWS_PER_STATEMENT + 1 }, (_, at) => {
    const path = `${at}.txt`
    return { ...row, nr: at + 1, id: `${at}`.padStart(16, '0'), path, datei: `dateien/${path}` }
  })
  const file = await archiveOf(rows, { files: rows.map(({ datei }) => datei) })
  const dataDir = newFolder()
  let stored = 0
  const begin = async (): Promise<InstanceReplacement> => {
    const instance = await beginSqliteInstanceReplacement({ dataDir, newId, now: Date.now })
    const watched = ({ tx, storage, ...into }: NewRowsTarget): NewRowsTarget => ({
      ...into,
      tx,
      storage: {
        ...storage,
        async commit(staging, object, content) {
          await tx.selectFrom('media').select('nr').where('object', '=', object).executeTakeFirstOrThrow()
          stored++
          return storage.commit(staging, object, content)
        },
      },
    })
    return { ...instance, load: (schema, fill) => instance.load(schema, into => fill(watched(into))) }
  }
  await restoreArchive({ begin, onProgress: () => {} }, { address: file, location: dataDir, force: false })
  expect(stored).toBe(rows.length)
})

test('a restore that was killed goes on with what it has stored', async () => {
  await using instance = await openBackupInstance()
  for (let at = 0; at < 5; at++) await instance.store(`${at}.txt`, `content ${at}`)
  const backup = instance.backup()
  const { archiv } = await (await backup.start()).report
  await backup.stop()
  const dataDir = newFolder()
  const path = join(instance.target, archiv!)
  let left = 3
  const begin = async (attempt: string): Promise<InstanceReplacement> => {
    const made = await beginSqliteInstanceReplacement({ dataDir, newId, now: Date.now, attemptId: attempt })
    const dying = ({ storage, ...into }: NewRowsTarget): NewRowsTarget => ({
      ...into,
      storage: {
        ...storage,
        async commit(...args) {
          if (left-- === 0) throw new Error('killed')
          return storage.commit(...args)
        },
      },
    })
    const part = join(dataDir, `.wiederherstellung-${attempt}.teil`)
    const isFirst = left === 3
    // A killed process does not clean up.
    const release = async () => {
      if (isFirst) await rename(part, `${dataDir}.part`)
      await made.release()
      if (isFirst) await rename(`${dataDir}.part`, part)
    }
    return { ...made, release, load: (schema, fill) => made.load(schema, into => fill(dying(into))) }
  }
  const choice = { address: path, location: dataDir, force: false }
  await expect(restoreArchive({ begin, onProgress: () => {} }, choice)).rejects.toThrow('killed')
  left = 100
  const { resumed, missing, altered } = await restoreArchive({ begin, onProgress: () => {} }, choice)
  expect({ resumed, missing, altered, stored: 100 - left }).toEqual({
    resumed: 3,
    missing: [],
    altered: [],
    stored: 2,
  })
  const database = await openSqlite({ file: join(dataDir, 'fundus.db') })
  const rows = await database.read.selectFrom('media').select(['path', 'object']).execute()
  for (const { path: file, object } of rows)
    expect(await readFile(join(dataDir, object), 'utf8')).toBe(`content ${file[0]}`)
  await database.close()
})
