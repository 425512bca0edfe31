/** The preview of a file in the trash, for signed-in users: it has no public address. */
import type { Database } from '../../database/database.ts'
import { failure } from '../../errors/errors.ts'
import { matchesNone } from '../../http/answers/conditions.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import { answerWith } from '../../http/server/sending/answers.ts'
import { DERIVED } from '../../storage/derived-parts.ts'
import { derivedObject } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import { createObjectReader } from '../serve/object-reader.ts'
import { presentationOf } from '../serve/presentation.ts'
import { findEntries } from './trash.store.ts'

const NUMBER = /^[1-9][0-9]{0,14}$/
const TYPE = 'image/webp'

export type TrashPreview = (request: IncomingRequest, nr: string) => Promise<Response>

export function createTrashPreview(parts: { database: Database; storage: Storage }): TrashPreview {
  const read = createObjectReader(parts.storage)

  async function find(nr: number) {
    const [entry] = await findEntries(parts.database.read, [nr])
    const object = entry && derivedObject('preview', entry)
    if (!object) throw failure.previewAbsent()
    return { ...object, etag: `"${entry.id}-${DERIVED.preview.letter}"` }
  }

  return async (request, text) => {
    if (!NUMBER.test(text)) throw failure.previewAbsent()
    const first = await find(Number(text))
    const headers = headersFor(first.etag)
    const known = request.headers.get('If-None-Match')
    if (known !== null && matchesNone(known, first.etag)) return new Response(null, { status: 304, headers })
    let body = await read(first.name, first.size)
    if (!body) {
      // The preview may just have been moved to the trash, so look up its new name.
      const second = await find(Number(text))
      body = await read(second.name, second.size)
    }
    if (!body) throw failure.previewAbsent()
    return answerWith(body, { headers })
  }
}

/** Private, and revalidated each time: after the session has ended, nothing is shown. */
function headersFor(etag: string): Record<string, string> {
  return {
    'Content-Type': TYPE,
    'Content-Security-Policy': presentationOf(TYPE).policy,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-cache',
    ETag: etag,
  }
}
