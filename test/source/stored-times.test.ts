/**
 * Every time that the database stores, and what keeps a wrong clock from doing harm through it (docs/architecture.md). A
 * column that is not in this list fails the test: whoever adds one decides how it is compared with the clock.
 */
import { expect, test } from 'bun:test'

/** Only shown or sorted by, never compared with the clock. */
const SHOWN = 'shown'
/** A moment in the future: one that is further away than the longest possible one does not count, or is shortened. */
const BOUNDED = 'bounded'
/** A moment in the past: one that lies in the future does not count. */
const PAST = 'past'
/** Decides what is removed by age: asks `clockWatch.mayRemoveByAge` first. */
const GUARDED = 'guarded'
/** Given by the operator as a date; it means what it says. */
const GIVEN = 'given'

const STORED_TIMES = new Map([
  ['MediaTable.created_at', SHOWN],
  // The retention rules go by it, by `restored_at` and `retrieved_at`.
  ['MediaTable.updated_at', GUARDED],
  // A date of `Last-Modified` in the future is sent as the present one; conditions by date then fetch once too often.
  ['MediaTable.placed_at', SHOWN],
  ['MediaTable.restored_at', GUARDED],
  ['MediaTable.derived_at', SHOWN],
  // Of earlier versions; nobody reads it.
  ['MediaTable.derive_until', SHOWN],
  ['MediaTable.retrieved_at', GUARDED],
  ['TokenTable.valid_until', GIVEN],
  ['TokenTable.created_at', SHOWN],
  ['TokenTable.used_at', SHOWN],
  // Not believed further away than the longest ticket; removed only by a trusted clock.
  ['TicketTable.valid_until', BOUNDED],
  ['DiscardTable.due_at', BOUNDED],
  ['AccountTable.created_at', SHOWN],
  ['AccountTable.signed_in_at', SHOWN],
  ['SessionTable.created_at', SHOWN],
  // Shortened to the longest session; removed only by a trusted clock.
  ['SessionTable.expires_at', BOUNDED],
  // One in the future is replaced at the next use.
  ['SessionTable.seen_at', PAST],
  ['InvitationTable.created_at', SHOWN],
  // Shortened to the longest invitation; removed only by a trusted clock.
  ['InvitationTable.expires_at', BOUNDED],
  ['TotpTable.created_at', SHOWN],
  ['TotpTable.confirmed_at', SHOWN],
  ['PasskeyTable.created_at', SHOWN],
  ['PasskeyTable.used_at', SHOWN],
  ['LoginLockTable.locked_until', BOUNDED],
  ['LoginLockTable.forget_at', BOUNDED],
  ['SetupTable.created_at', SHOWN],
  ['HistoryTable.at', SHOWN],
  ['TrashTable.deleted_at', GUARDED],
  ['ShareTable.created_at', SHOWN],
  ['DropLinkTable.valid_until', GIVEN],
  ['DropLinkTable.created_at', SHOWN],
  ['AdministrationTable.at', SHOWN],
  ['LeaseTable.until', BOUNDED],
  ['UploadNoticeTable.due_at', BOUNDED],
  // A message that cannot be sent is given up after a day; a clock that jumps ahead gives it up sooner, and the log says so.
  ['MessageTable.created_at', SHOWN],
  ['MessageTable.due_at', BOUNDED],
  ['ClockTable.seen_at', PAST],
  ['ClockTable.doubted_since', PAST],
  // The age of the instance excuses a missing backup for its first hours.
  ['MigrationTable.applied_at', SHOWN],
  ['InstanceTable.older_since', SHOWN],
  // By the database's own clock alone.
  ['RunningTable.started_at', SHOWN],
  ['RunningTable.seen_at', PAST],
  ['ScrubTable.ran_at', PAST],
  ['ScrubTable.round_began_at', SHOWN],
  ['ScrubTable.completed_at', SHOWN],
  ['FindingTable.found_at', SHOWN],
  ['FindingTable.looked_at', PAST],
  ['DriveTable.called_at', PAST],
  ['JobRunTable.begun_at', PAST],
  ['BackupTable.started_at', PAST],
  ['PartialUploadTable.created_at', SHOWN],
  // Shortened to the longest life; removed only by a trusted clock.
  ['PartialUploadTable.expires_at', BOUNDED],
  ['PartialUploadTable.held_until', BOUNDED],
])

const TIME = /^ {2}(\w*(?:_at|until|since)|at): /

test('every stored time is known, with what keeps a wrong clock from doing harm', async () => {
  const found: string[] = []
  let table = ''
  for (const line of (await Bun.file('src/database/schema.ts').text()).split('\n')) {
    table = /^export interface (\w+)/.exec(line)?.[1] ?? table
    const column = TIME.exec(line)?.[1]
    if (column) found.push(`${table}.${column}`)
  }
  // The columns of a token's limits stand in their table.
  const limits = await Bun.file('src/contract/accounts/token-limits.ts').text()
  for (const [, column] of limits.matchAll(/column: '(\w+)',.* kind: 'time' /g))
    found.push(`TokenTable.${column}`)
  expect(found.sort()).toEqual([...STORED_TIMES.keys()].sort())
})
