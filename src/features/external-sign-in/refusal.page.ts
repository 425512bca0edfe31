/** Shows a refused sign-in to a person in a browser as a page that leads back to the sign-in page. */
import { BACK_TO_SIGN_IN_TEXT } from '../../contract/accounts/external.ts'
import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import { LOGIN_PAGE } from '../../contract/service/web.ts'
import { ownValue } from '../../contract/values/own-value.ts'
import { ENGLISH_SENTENCES } from '../../contract/words/english.ts'
import { prefersHtml } from '../../http/answers/accept.ts'
import type { RenderError } from '../../http/answers/render-error.ts'
import type { IncomingRequest } from '../../http/server/http-server.ts'
import type { Settings } from '../settings/settings.ts'
import { errorPage } from '../shares/error.page.ts'

export type WithRefusalPage = ReturnType<typeof createWithRefusalPage>

/**
 * Returns a function that runs `handle` and returns its answer. If `handle` rejects, a browser gets a page,
 * and any other client the usual JSON. Only these error answers get `cookie`, the value of a `Set-Cookie`
 * header.
 */
export const createWithRefusalPage =
  ({ renderError, settings }: { renderError: RenderError; settings: Settings }) =>
  async (request: IncomingRequest, handle: () => Promise<Response>, cookie?: string): Promise<Response> => {
    try {
      return await handle()
    } catch (error) {
      const answer = renderError(error)
      if (cookie !== undefined) answer.headers.append('Set-Cookie', cookie)
      if (!prefersHtml(request.headers.get('Accept'))) return answer
      const language = prefersEnglish(request.headers.get('Accept-Language')) ? 'en' : 'de'
      const { error: germanSentence } = (await answer.clone().json()) as { error: string }
      const englishSentence =
        ownValue(ENGLISH_SENTENCES, answer.headers.get(ERROR_CODE_HEADER) ?? '') ?? germanSentence
      const link = { address: LOGIN_PAGE, text: BACK_TO_SIGN_IN_TEXT[language] }
      const sentence = language === 'en' ? englishSentence : germanSentence
      return errorPage({ sentence, language, link }, answer, settings.current())
    }
  }

/**
 * Whether the first language in `Accept-Language` is a language other than German. Without this header, the
 * page is in German.
 */
function prefersEnglish(languages: string | null): boolean {
  const firstLanguage = languages?.trim().slice(0, 2).toLowerCase() ?? ''
  return firstLanguage !== '' && firstLanguage !== 'de'
}
