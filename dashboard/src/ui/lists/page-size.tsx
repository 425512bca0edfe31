/** A field to choose how many entries a page shows. */
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { PAGE_SIZES } from '../../../../src/contract/values/page-sizes.ts'
import { useWords } from '../../language/language.tsx'
import { words } from '../words.ts'

export type PageSizeValue = (typeof PAGE_SIZES)[number]

export interface PageSizeFieldProps extends Pick<NativeSelectProps, 'ml'> {
  /** Accessible name, by default „Einträge je Seite“. */
  label?: string
  value: PageSizeValue
  onChange(value: PageSizeValue): void
}

export function PageSizeField({ label, value, onChange, ...rest }: PageSizeFieldProps) {
  const w = useWords(words)
  return (
    <NativeSelect
      {...rest}
      aria-label={label ?? w.perPage}
      data={PAGE_SIZES.map(size => ({ value: String(size), label: w.manyPerPage(size) }))}
      value={String(value)}
      onChange={event => onChange(Number(event.currentTarget.value) as PageSizeValue)}
    />
  )
}
