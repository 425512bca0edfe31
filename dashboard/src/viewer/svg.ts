/**
 * SVG pictures without a size of their own. Browsers draw them 300 × 150 pixels large; if they have no view
 * box either, what does not fit is cut off.
 */
import { useQuery } from '@tanstack/react-query'
import { essence } from '../../../src/contract/paths/kinds.ts'
import type { FileAnswer } from '../files/types.ts'

/** Bytes in which the root element is expected. */
const BEGINNING = 64 * 1024

export interface SvgRoot {
  hasSize: boolean
  hasViewBox: boolean
}

/** What the root element says; null if there is none. Percentages are no size. */
export function svgRoot(text: string): SvgRoot | null {
  const root = /<svg\b[^>]*>/.exec(text)?.[0]
  if (root === undefined) return null
  return {
    hasSize: /\swidth\s*=\s*["'][^"'%]+["']/.test(root) && /\sheight\s*=\s*["'][^"'%]+["']/.test(root),
    hasViewBox: /\sviewBox\s*=/.test(root),
  }
}

export interface VectorView {
  /** It has no size, so it is drawn as large as the stage. */
  fills: boolean
  /** The address, with the drawing's measures as view box if it names none. */
  source: string | undefined
}

export function useVector(file: FileAnswer, source: string | undefined): VectorView {
  const isSvg = essence(file.mime) === 'image/svg+xml'
  const { data } = useQuery({
    queryKey: ['svg', file.path, file.sha256],
    queryFn: async ({ signal }) => {
      const response = await fetch(source ?? '', { signal, headers: { Range: `bytes=0-${BEGINNING - 1}` } })
      return response.ok ? svgRoot(await response.text()) : null
    },
    enabled: isSvg && source !== undefined,
    retry: false,
  })
  const { breite, hoehe } = file
  if (!data || data.hasSize || breite === undefined || hoehe === undefined) return { fills: false, source }
  // The measures are those of the whole drawing: the service has looked.
  return {
    fills: true,
    source: data.hasViewBox ? source : `${source}#svgView(viewBox(0,0,${breite},${hoehe}))`,
  }
}
