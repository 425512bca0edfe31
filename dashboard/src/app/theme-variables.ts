/** Prints the variables of the theme as a style sheet, for the build (`vite.config.ts`). */
import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import { cssVariables, theme } from './theme.ts'

/** What Mantine's `baseline.css` reads, and its resolver leaves out. */
const SCHEME = '--mantine-color-scheme'

const merged = mergeMantineTheme(DEFAULT_THEME, theme)
const variables = deepMerge(defaultCssVariablesResolver(merged), cssVariables(merged))
const schemes = { light: { [SCHEME]: 'light' }, dark: { [SCHEME]: 'dark' } }
console.info(convertCssVariables(deepMerge(variables, schemes)))
