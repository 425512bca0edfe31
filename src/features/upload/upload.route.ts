/** `POST /api/upload` */

import { uploadAnswer, uploadForms, uploadHeaders } from '../../contract/upload/upload.ts'
import type { Token } from '../../http/access/actor.ts'
import { JSON_MEDIA_TYPE, type Route, route } from '../../http/routes.ts'
import { type StoreBodyParts, storeBody } from './store-and-answer.ts'
import { uploadOptionsOf } from './upload-headers.ts'

export function uploadRoute(parts: StoreBodyParts): Route<Token> {
  return route('POST', '/api/upload', {
    summary: 'Speichert eine Datei: als Formular, als Base64-Text oder roh',
    handlerInput: { headers: uploadHeaders, forms: uploadForms },
    answer: uploadAnswer,
    answerType: JSON_MEDIA_TYPE,
    handle: ({ request }, token: Token) => storeBody(parts, request, token, uploadOptionsOf(request)),
  })
}
