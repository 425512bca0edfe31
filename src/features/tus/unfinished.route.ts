/**
 * `GET /api/dash/tus`: the unfinished uploads. Users see their own and can continue them; operators also see
 * those of others.
 */
import { hasRole } from '../../contract/accounts/roles.ts'
import { unfinishedUploads } from '../../contract/upload/tus.ts'
import { DASHBOARD_TUS_ROUTE } from '../../contract/upload/tus-wire.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import type { FeatureParts } from '../feature.ts'
import { parseMetadata } from './headers.ts'
import { listUnfinishedUploads } from './tus.store.ts'

export function unfinishedRoute({ database }: Pick<FeatureParts, 'database'>): SessionRoute {
  return sessionRoute('GET', DASHBOARD_TUS_ROUTE, {
    role: 'redaktion',
    targets: 'nothing',
    summary: 'Die unfertigen Uploads: alle für Betreiber, sonst die eigenen',
    answer: unfinishedUploads,
    async handle(_, { account }) {
      const rows = await listUnfinishedUploads(database.read)
      const seesAll = hasRole(account.role, 'betreiber')
      const visibleRows = rows.filter(row => seesAll || row.account_id === account.id)
      return {
        uploads: visibleRows.map(row => ({
          id: row.id,
          path: row.path,
          laenge: row.length,
          angekommen: row.received,
          wer: row.token_name ?? row.account_name ?? '',
          eigen: row.account_id === account.id,
          verfaellt_am: row.expires_at,
          geaendert: lastModified(row.metadata),
        })),
      }
    },
  })
}

function lastModified(metadata: string): number | null {
  const time = Number(parseMetadata(metadata).get('lastModified') ?? Number.NaN)
  return Number.isSafeInteger(time) ? time : null
}
