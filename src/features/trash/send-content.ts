/**
 * Sends the content and the preview of files in the trash to signed-in users. Files in the trash have no
 * public address.
 */
import { nameOf, splitPath } from '../../contract/paths/path-parts.ts'
import { type Failure, failure } from '../../errors/errors.ts'
import type { Area } from '../../http/access/library-area.ts'
import { createAnswer } from '../../http/server/answers.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { DERIVATIONS } from '../../storage/derived-parts.ts'
import { derivedObject } from '../../storage/names.ts'
import type { FeatureParts } from '../feature.ts'
import { floorToSecond } from '../media/media.store.ts'
import { headersOf, planAnswer } from '../serve/answer.ts'
import { withPrivateHeaders } from '../serve/dash-content.route.ts'
import { createObjectReader } from '../serve/object-reader.ts'
import { type ChosenObject, WEBP_EXTENSION } from '../serve/variant-and-etag.ts'
import { findEntries, type TrashRow } from './trash.store.ts'

const ENTRY_NUMBER_PATTERN = /^[1-9][0-9]{0,14}$/

type SendContent = (request: IncomingRequest, nrText: string, allowedArea: Area) => Promise<Response>

export interface TrashContent {
  sendPreview: SendContent
  /**
   * Sends the content as a download (`Content-Disposition: attachment`). Browsers do not open it as a page,
   * so it may come from the dashboard's origin even if stored files have a host of their own (`FILES_HOST`).
   */
  sendOriginal: SendContent
}

export function createTrashContent({
  database,
  storage,
  now,
}: Pick<FeatureParts, 'database' | 'storage' | 'now'>): TrashContent {
  const readObject = createObjectReader(storage)

  const createSender =
    (choose: (entry: TrashRow) => ChosenObject | null, createFailure: () => Failure): SendContent =>
    async (request, nr, allowedArea) => {
      for (let missingObject: string | undefined; ; ) {
        const [entry] = ENTRY_NUMBER_PATTERN.test(nr)
          ? await findEntries(database.read, [Number(nr)], allowedArea)
          : []
        const choice = entry && choose(entry)
        if (!choice || choice.object === missingObject) throw createFailure()
        const plan = planAnswer(request, choice)
        const body = plan.status === 304 ? null : await readObject(choice.object, choice.size, plan.range)
        const headers = headersOf(plan, choice, now())
        if (plan.status === 304 || body)
          return withPrivateHeaders(createAnswer(body, { status: plan.status, headers }))
        // The object may have been renamed after the row was read, so the row is read again.
        missingObject = choice.object
      }
    }

  const sendOriginal = createSender(chooseOriginal, failure.fileAbsent)
  return {
    sendPreview: createSender(choosePreview, failure.previewAbsent),
    async sendOriginal(request, nr, allowedArea) {
      const response = await sendOriginal(request, nr, allowedArea)
      if (!response.headers.has(DISPOSITION_HEADER)) response.headers.set(DISPOSITION_HEADER, 'attachment')
      return response
    },
  }
}

const DISPOSITION_HEADER = 'Content-Disposition'

const chooseOriginal = ({ object, size, mime, sha256, path, updated_at }: TrashRow): ChosenObject => ({
  object,
  size,
  mime,
  name: nameOf(path),
  etag: `"${sha256.slice(0, 32)}"`,
  modified: floorToSecond(updated_at),
})

function choosePreview(entry: TrashRow): ChosenObject | null {
  const object = derivedObject('preview', entry)
  return (
    object && {
      object: object.name,
      size: object.size,
      mime: 'image/webp',
      etag: `"${entry.id}-${DERIVATIONS.preview.letter}"`,
      modified: floorToSecond(entry.deleted_at),
      name: splitPath(entry.path).stem + WEBP_EXTENSION,
    }
  )
}
