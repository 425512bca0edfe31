import { z } from 'zod'

/**
 * What parent and decoder say to each other. The decoder works on strangers' bytes, so nothing it answers is
 * believed before it fits these schemas; file names are only ever chosen by the parent.
 * The decoder imports the types alone: it starts for single jobs and should not load a validator.
 */

const pixels = z.number().int().positive()
const dimensions = z.object({ width: pixels, height: pixels })

const answers = {
  /** Measures a picture; writes its preview where `preview` names a file. */
  picture: dimensions,
  /** Writes the WebP variant to `target` where the picture may have one. */
  variant: z.object({}),
  /** Writes the scaled picture to `target`; null: nothing to scale. */
  downscale: z.object({ from: dimensions, to: dimensions }).nullable(),
  /** Measures video and audio; writes a poster frame where `preview` names a file. */
  media: z.object({
    width: pixels.exactOptional(),
    height: pixels.exactOptional(),
    duration: z.number().positive().exactOptional(),
  }),
}

export type Kind = keyof typeof answers
export type Answer<K extends Kind> = z.infer<(typeof answers)[K]>

interface Inputs {
  picture: { source: string; preview: string | null }
  variant: { source: string; target: string }
  downscale: { source: string; target: string; maxEdge: number }
  media: { source: string; preview: string | null }
}
export type Input<K extends Kind> = Inputs[K]
export type Job = { [K in Kind]: { kind: K } & Inputs[K] }[Kind]

/** `spent`: the decoder has grown fat on this job and should be replaced before the next one. */
const reply = z.union([
  z.object({ answer: z.unknown(), spent: z.boolean() }),
  z.object({ refused: z.string(), spent: z.boolean() }),
  /** The file system said no (disk full, no permission): neither the picture's fault nor the decoder's. */
  z.object({ system: z.object({ code: z.string(), message: z.string() }), spent: z.boolean() }),
])
export type Reply = z.infer<typeof reply>

/** Null for what no decoder in its right mind would say to this kind of job. */
export function parseReply(kind: Kind, message: unknown): Reply | null {
  const { data } = reply.safeParse(message)
  if (!data || !('answer' in data)) return data ?? null
  const answer = answers[kind].safeParse(data.answer)
  return answer.success ? { answer: answer.data, spent: data.spent } : null
}
