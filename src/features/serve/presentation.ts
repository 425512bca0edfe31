/**
 * How stored content is presented to a browser. Every answer has `nosniff` and a content security policy,
 * which sandboxes all types except PDF. Only types on the allow-list are shown inline; all others are
 * downloads. So nothing that was uploaded can run as a page.
 */
import { isMediaType, mediaTypeEssence } from '../../contract/paths/kinds.ts'

const INLINE_FAMILIES = /^(image|video|audio)\//
const INLINE_TYPES = new Set(['text/plain', 'application/pdf'])
/**
 * Types that are not shown inline although they match `INLINE_FAMILIES`, because they can contain scripts:
 * all XML types, and SVG also without `+xml`.
 */
const SCRIPT_TYPES = /[+/]xml$|^image\/svg/

const BASE_POLICY = "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'"
const SANDBOX_POLICY = `sandbox; ${BASE_POLICY}`

export interface Presentation {
  contentType: string
  isInline: boolean
  policy: string
}

const MAX_REMEMBERED_TYPES = 1000
const presentationsByType = new Map<string, Presentation>()

export function presentationOf(mime: string): Presentation {
  let presentation = presentationsByType.get(mime)
  if (!presentation) {
    if (presentationsByType.size >= MAX_REMEMBERED_TYPES) presentationsByType.clear()
    presentation = choosePresentation(mime)
    presentationsByType.set(mime, presentation)
  }
  return presentation
}

function choosePresentation(storedType: string): Presentation {
  // A row from an earlier version or another program may contain a type that is not valid in a header.
  const mime = isMediaType(storedType.trim()) ? storedType.trim() : 'application/octet-stream'
  const type = mediaTypeEssence(mime)
  return {
    // A text type without a charset gets UTF-8, because a browser would guess the charset otherwise.
    contentType: type.startsWith('text/') && !/;\s*charset=/i.test(mime) ? `${mime}; charset=utf-8` : mime,
    isInline: INLINE_TYPES.has(type) || (INLINE_FAMILIES.test(type) && !SCRIPT_TYPES.test(type)),
    // Browsers show no PDF in a sandboxed document; their PDF viewer is a sandbox of its own.
    policy: type === 'application/pdf' ? BASE_POLICY : SANDBOX_POLICY,
  }
}
