/** Messages to the chat webhook about backups, orphaned files, a disk that fills up, and uploads. */
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Delays } from '../../config/delays.ts'
import { MINUTE } from '../../contract/values/units.ts'
import type { DiskSpace } from '../../storage/local/space.ts'
import type { FeatureParts } from '../feature.ts'
import { internet } from '../fetch-url/network.ts'
import { createSendRequest } from '../fetch-url/request.ts'
import { createDelivery } from './delivery.ts'
import { createDiskWatch } from './disk-watch.ts'
import { createNotifier } from './notify.ts'
import { createUploadNotices } from './upload-notice.ts'
import { webhookTestRoute } from './webhook.route.ts'
import { createWebhook, sendAnywhere } from './webhook.ts'

export function createNotifyFeature(
  parts: FeatureParts & {
    dataDir: string
    space: () => Promise<DiskSpace | null>
    /** Milliseconds without an upload before one message reports the uploads so far. */
    quietPeriod: number
    /** Whether the chat webhook may be in a private network. */
    isInternalWebhookAllowed: boolean
    delays: Delays
  },
) {
  const notices = createUploadNotices(parts)
  const ownDisk = { machine: hostname(), file: join(parts.dataDir, 'disk-level') }
  const watchDisk = createDiskWatch({ ...parts, ...(parts.storage.isShared && { ownDisk }) })
  const webhook = createWebhook({
    send: parts.isInternalWebhookAllowed ? sendAnywhere : createSendRequest(internet),
    now: parts.now,
  })
  const deliver = createDelivery({ ...parts, notices, webhook })
  return {
    notify: createNotifier(parts),
    onUpload: notices.add,
    routes: { session: [webhookTestRoute({ ...parts, webhook })] },
    jobs: [
      {
        name: 'messages',
        interval: parts.delays.messageCheck,
        atStart: true,
        run: (signal: AbortSignal) => deliver(() => !signal.aborted),
      },
      { name: 'disk watch', interval: MINUTE, atStart: true, run: watchDisk },
    ],
  }
}
