import { Database as Connection } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '../../src/base/log.ts'
import { NewerDatabaseError } from '../../src/database/migrate.ts'
import { openPostgres } from '../../src/database/postgres/postgres.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite.ts'
import { realDisk } from '../support/folder.ts'
import { findPostgres, startPostgres } from '../support/postgres.ts'
import { findTool, toolOrFail } from '../support/tools.ts'
import { databaseConformance } from './database.ts'
import { removeFolder } from './storage.ts'

// Starting a server takes long on a busy machine.
setDefaultTimeout(120_000)

const newFolder = () => mkdtemp(join(realDisk(), 'fundus-database-'))

databaseConformance('SQLite', async () => {
  const folder = await newFolder()
  const file = join(folder, 'fundus.db')
  const database = await openSqlite({ file })
  return {
    database,
    again: () => openSqlite({ file }),
    async dispose() {
      await database.close()
      await removeFolder(folder)
    },
  }
})

const log = createLog({ level: 'warn', isHumanReadable: true, write: line => process.stderr.write(line) })

if (findTool('postgresql', findPostgres))
  databaseConformance('PostgreSQL', async () => {
    const server = await startPostgres()
    const url = await server.createDatabase()
    const open = () => openPostgres({ url, log, acceptsUnflushed: true })
    const database = await open()
    return {
      database,
      again: open,
      async dispose() {
        await database.close()
        await server.stop()
      },
    }
  })
else test('database port: PostgreSQL', () => void toolOrFail('postgresql', findPostgres))

test('SQLite: the log is flushed before it is carried over, readers are never blocked', async () => {
  const folder = await newFolder()
  const file = join(folder, 'fundus.db')
  const database = await openSqlite({ file })
  // The journal mode is a property of the file; the flush setting is read from the writing connection. The
  // service flushes each commit (src/database/sqlite/sqlite.test.ts; seen from outside in
  // test/long/flushes.test.ts).
  using connection = new Connection(file, { readonly: true })
  const mode = connection.query('pragma journal_mode').get()
  expect(mode).toEqual({ journal_mode: 'wal' })
  const { rows } = await database.transaction(tx =>
    tx.executeQuery<{ synchronous: number }>({
      ...tx.selectFrom('media').select('nr').compile(),
      sql: 'pragma synchronous',
    }),
  )
  expect(rows).toEqual([{ synchronous: 1 }])
  await database.close()
  await removeFolder(folder)
})

test('SQLite: a database of a newer version is left untouched', async () => {
  const folder = await newFolder()
  const file = join(folder, 'fundus.db')
  await (await openSqlite({ file })).close()
  const connection = new Connection(file)
  connection.run("insert into migration values ('9999-from-the-future', 0)")
  connection.close()
  await expect(openSqlite({ file })).rejects.toThrow(NewerDatabaseError)
  // No file stays open: the runtime ends a process that leaves an open file to the garbage collector.
  expect((await readdir(folder)).filter(name => name.endsWith('-wal'))).toEqual([])
  await removeFolder(folder)
})
