/** A custom uploader for ShareX: the content of a `.sxcu` file. */
import { z } from 'zod'

/**
 * Stands in place of the token, except in the answer that creates the token: later only its hash is known.
 */
const TOKEN_PLACEHOLDER = 'TOKEN'

export const shareXAnswer = z.object({
  Version: z.string(),
  Name: z.string(),
  DestinationType: z.string(),
  RequestMethod: z.string(),
  RequestURL: z.string(),
  Headers: z.record(z.string(), z.string()),
  Body: z.string(),
  FileFormName: z.string(),
  URL: z.string(),
  ThumbnailURL: z.string(),
  DeletionURL: z.string().optional(),
  ErrorMessage: z.string(),
})
export type ShareXUploader = z.output<typeof shareXAnswer>

/**
 * ShareX's expression for the path of the stored file. The answer to the upload contains the path only as
 * part of the file's address.
 */
const PATH_EXPRESSION = '{regex:/f/([^"]+)"|1}'

interface ShareXOptions {
  publicUrl: string
  /** Whether the dashboard is at `publicUrl`. */
  hasDashboard: boolean
  name: string
  token?: string
}

export function shareXUploader(options: ShareXOptions): ShareXUploader {
  return {
    // In a file that states a version up to 13.7.1, ShareX expects an older notation with dollar signs, and
    // would not replace the expressions in braces.
    Version: '14.0.0',
    Name: options.name,
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: `${options.publicUrl}/api/v3/file`,
    Headers: { Authorization: `Bearer ${options.token ?? TOKEN_PLACEHOLDER}` },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{json:data.url}',
    ThumbnailURL: `${options.publicUrl}/t/${PATH_EXPRESSION}.webp`,
    // ShareX opens this address in the browser. It leads to the file's page in the dashboard: if the address
    // itself deleted the file, everybody who gets hold of it could do so.
    ...(options.hasDashboard && { DeletionURL: `${options.publicUrl}/dateien?datei=${PATH_EXPRESSION}` }),
    ErrorMessage: '{json:error}',
  }
}
