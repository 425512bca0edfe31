/**
 * The compatibility routes accept the upload and delete calls of a third-party media host's API, so that its
 * clients need only another address and key.
 */
import type { z } from 'zod'
import { fileAddress } from '../../contract/paths/addresses.ts'
import {
  COMPAT_KINDS,
  type CompatKind,
  compatBase64,
  compatFileForm,
  compatKindForm,
  compatRemovedAnswer,
  newerRoutesAnswer,
  olderRoutesAnswer,
} from '../../contract/upload/compat.ts'
import { digestHeaders } from '../../contract/upload/upload.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import { refuseEncodedBody } from '../../http/bodies/content-encoding.ts'
import { announcedDigests } from '../../http/bodies/digests.ts'
import { JSON_MEDIA_TYPE, type Route, route } from '../../http/routes.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Media } from '../media/media.ts'
import type { Settings } from '../settings/settings.ts'
import { checkDelete } from '../tokens/check-limits.ts'
import type { Upload, UploadedFile } from '../upload/upload.ts'
import { type CompatBody, readCompatBase64, readCompatForm } from './compat.body.ts'
import type { StoreCompat } from './store-compat.ts'

interface CompatRouteParts {
  media: Media
  store: StoreCompat
  upload: Upload
  settings: Settings
}

const KINDS = Object.keys(COMPAT_KINDS) as CompatKind[]

type FormatAnswer = (file: UploadedFile) => object

interface PostSpec {
  /** The kind that the file must have; null if any kind is accepted. */
  kind: CompatKind | null
  readBody(request: IncomingRequest, token: Token): Promise<CompatBody>
  summary: string
  /** The media type of the body, and its schema. */
  body: [type: string, schema: z.ZodType]
}

export function compatRoutes(parts: CompatRouteParts): Route<Token>[] {
  const { upload, settings } = parts
  const addressOf = (file: UploadedFile) => fileAddress(settings.current().PUBLIC_URL, file.path)
  const formatOlderAnswer: FormatAnswer = file => ({ url: addressOf(file), id: file.id, path: file.path })
  const formatNewerAnswer: FormatAnswer = file => ({
    status: 'ok',
    data: { id: file.id, url: addressOf(file) },
  })
  const olderPostRoute = (path: string, spec: PostSpec) =>
    postRoute(parts, path, spec, olderRoutesAnswer, formatOlderAnswer)
  const newerPostRoute = (path: string, spec: PostSpec) =>
    postRoute(parts, path, spec, newerRoutesAnswer, formatNewerAnswer)

  const kindSpec = (kind: CompatKind): PostSpec => ({
    kind,
    readBody: (request, token) => readCompatForm(request, token, upload, kind),
    summary: `Speichert eine Datei der Art „${COMPAT_KINDS[kind]}“`,
    body: ['multipart/form-data', compatKindForm(kind)],
  })
  return [
    ...KINDS.map(kind => olderPostRoute(`/api/${kind}`, kindSpec(kind))),
    ...KINDS.map(kind => newerPostRoute(`/api/v2/${kind}`, kindSpec(kind))),
    newerPostRoute('/api/v3/file', {
      kind: null,
      readBody: (request, token) => readCompatForm(request, token, upload, 'file'),
      summary: 'Speichert eine Datei beliebiger Art',
      body: ['multipart/form-data', compatFileForm],
    }),
    newerPostRoute('/api/v3/file/base64', {
      kind: null,
      readBody: (request, token) => readCompatBase64(request, token, upload),
      summary: 'Speichert eine Datei aus Base64-Text',
      body: [JSON_MEDIA_TYPE, compatBase64],
    }),
    removeRoute(parts, '/api/v3/file/:id'),
    ...KINDS.flatMap(kind =>
      [`/api/${kind}/delete/:id`, `/api/${kind}/:id`].map(path => removeRoute(parts, path)),
    ),
  ]
}

function postRoute(
  { store }: CompatRouteParts,
  path: string,
  { kind, readBody, summary, body: [type, schema] }: PostSpec,
  answer: z.ZodType,
  formatAnswer: FormatAnswer,
): Route<Token> {
  return route('POST', path, {
    summary,
    handlerInput: { headers: digestHeaders, forms: { [type]: schema } },
    answer,
    answerType: JSON_MEDIA_TYPE,
    async handle({ request }, token: Token) {
      refuseEncodedBody(request)
      const { receivedUpload, filename, folder } = await readBody(request, token)
      const digests = announcedDigests(request.headers)
      return formatAnswer(await store(token, { kind, filename, folder, digests }, receivedUpload))
    },
  })
}

function removeRoute({ media }: CompatRouteParts, path: string): Route<Token> {
  return route('DELETE', path, {
    summary: 'Löscht die id eines Hochladens; mit der letzten geht die Datei, endgültig',
    answer: compatRemovedAnswer,
    answerType: JSON_MEDIA_TYPE,
    async handle({ param }, token: Token) {
      if (!token.mayDelete) throw failure.deleteForbidden()
      const isRemoved = await media.removeId(param('id'), { token }, path => checkDelete(token, path))
      if (!isRemoved) throw failure.fileAbsent()
      return { status: 'ok' as const }
    },
  })
}
