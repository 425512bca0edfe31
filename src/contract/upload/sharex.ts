/** A custom uploader for ShareX: the content of a `.sxcu` file. */
import { z } from 'zod'

/** Replaces a key that is no longer known. */
const KEY_PLACEHOLDER = 'TOKEN'

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
  ErrorMessage: z.string(),
})
export type ShareXUploader = z.output<typeof shareXAnswer>

export function shareXUploader(options: { publicUrl: string; name: string; key?: string }): ShareXUploader {
  return {
    // ShareX reads files of versions up to 13.7.1 in an older notation with dollars, and would take the
    // braces in the last two lines literally.
    Version: '14.0.0',
    Name: options.name,
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: `${options.publicUrl}/api/v3/file`,
    Headers: { Authorization: `Bearer ${options.key ?? KEY_PLACEHOLDER}` },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{json:data.url}',
    ErrorMessage: '{json:error}',
  }
}
