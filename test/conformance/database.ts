/** The conformance suite that every database adapter passes. */
import { afterAll, beforeAll, describe } from 'bun:test'
import type { Database } from '../../src/database/database.ts'
import { rowsConform } from './database/rows.ts'
import { statesConform } from './database/states.ts'
import { transactionsConform } from './database/transactions.ts'

export interface DatabaseUnderTest {
  database: Database
  /** The same database through a second connection, like another process. */
  again(): Promise<Database>
  dispose(): Promise<void>
}

export const sampleRow = (path: string, id = path.replaceAll('/', '')) => ({
  id,
  path,
  object: `files/${path}~${id}`,
  size: 3,
  sha256: 'f'.repeat(64),
  mime: 'text/plain',
  kind: 'dokumente' as const,
  token_id: null,
  created_at: 1,
  updated_at: 2,
  derived: 'done' as const,
})

/** What the tests of each topic receive. */
export type Opened = Pick<DatabaseUnderTest, 'database' | 'again'>

export const pathsIn = async ({ read }: Database) =>
  (await read.selectFrom('media').select('path').orderBy('path').execute()).map(row => row.path)

export function databaseConformance(name: string, create: () => Promise<DatabaseUnderTest>): void {
  describe(`database port: ${name}`, () => {
    let subject: DatabaseUnderTest
    beforeAll(async () => {
      subject = await create()
    })
    afterAll(() => subject.dispose())

    const on: Opened = {
      get database() {
        return subject.database
      },
      again: () => subject.again(),
    }
    transactionsConform(on)
    rowsConform(on)
    statesConform(on)
  })
}
