/**
 * Messages between the service and a decoder process. The decoder handles untrusted bytes, so a reply must
 * match these schemas, and only the parent chooses file names. The decoder imports only the types of this
 * file, so that it starts fast.
 */
import { z } from 'zod'
import type { SizeGeometry } from '../contract/files/picture-geometry.ts'

const pixelCountSchema = z.number().int().positive()
const dimensionsSchema = z.object({ width: pixelCountSchema, height: pixelCountSchema })

/** The schema of the answer to each kind of job. The comments say what the job does. */
const answerSchemas = {
  /** Measures a picture. If it can be decoded, also writes a smaller one for each entry of `scaled`. */
  picture: dimensionsSchema,
  /** Writes the WebP variant to `target`, if the picture may have one. */
  variant: z.object({}),
  /** Writes the picture, scaled down, to `target`; null if there is nothing to scale. */
  downscale: z.object({ from: dimensionsSchema, to: dimensionsSchema }).nullable(),
  /**
   * Writes the picture, or a frame of the video, to `target` in the requested size. Null if the picture
   * cannot be decoded, for example because it exceeds a limit, or if no frame can be extracted.
   */
  size: dimensionsSchema
    .extend({ type: z.enum(['image/avif', 'image/webp', 'image/jpeg', 'image/png']) })
    .nullable(),
  /** Measures video and audio; writes a frame of a video, if possible, for each entry of `scaled`. */
  media: z.object({
    width: pixelCountSchema.exactOptional(),
    height: pixelCountSchema.exactOptional(),
    duration: z.number().positive().exactOptional(),
  }),
}

export type JobKind = keyof typeof answerSchemas
export type JobAnswer<K extends JobKind> = z.infer<(typeof answerSchemas)[K]>

/** A WebP that is to be written to `target`, with a longer edge of at most `edge` pixels. */
export interface ScaledPicture {
  target: string
  edge: number
  quality: number
}

/**
 * `plain`: PNG for a picture with transparent pixels, otherwise JPEG. `jpeg`: transparent pixels become
 * white.
 */
export type SizeFormat = 'avif' | 'webp' | 'jpeg' | 'plain'

interface JobInputs {
  picture: { source: string; scaled: readonly ScaledPicture[] }
  variant: { source: string; target: string }
  downscale: { source: string; target: string; maxEdge: number }
  size: { source: string; target: string; size: SizeGeometry; format: SizeFormat; isVideo: boolean }
  media: { source: string; scaled: readonly ScaledPicture[] }
}
export type JobInput<K extends JobKind> = JobInputs[K]
export type DecoderJob = { [K in JobKind]: { kind: K } & JobInputs[K] }[JobKind]

/**
 * `answer`: the result of the job. `refused`: why the decoder refused the file. `spent`: the decoder still
 * uses much memory after this job, so the parent should replace it.
 */
const replySchema = z.union([
  z.object({ answer: z.unknown(), spent: z.boolean() }),
  z.object({ refused: z.string(), spent: z.boolean() }),
  /** A file system error (disk full, no permission), caused by neither the picture nor the decoder. */
  z.object({ system: z.object({ code: z.string(), message: z.string() }), spent: z.boolean() }),
])
export type DecoderReply = z.infer<typeof replySchema>

/** Checks a message; null if it is not a valid reply to this kind of job. */
export function parseReply(kind: JobKind, message: unknown): DecoderReply | null {
  const { data } = replySchema.safeParse(message)
  if (!data || !('answer' in data)) return data ?? null
  const answer = answerSchemas[kind].safeParse(data.answer)
  return answer.success ? { answer: answer.data, spent: data.spent } : null
}
