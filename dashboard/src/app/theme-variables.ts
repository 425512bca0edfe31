/** Prints the variables of the theme as a style sheet, for the build (`vite.config.ts`). */
import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import { resolveCssVariables, theme } from '../ui/theme.ts'

/** Mantine's `baseline.css` reads this variable, but `defaultCssVariablesResolver` does not set it. */
const SCHEME_VARIABLE = '--mantine-color-scheme'

const mergedTheme = mergeMantineTheme(DEFAULT_THEME, theme)
const themeVariables = deepMerge(defaultCssVariablesResolver(mergedTheme), resolveCssVariables(mergedTheme))
const schemeVariables = { light: { [SCHEME_VARIABLE]: 'light' }, dark: { [SCHEME_VARIABLE]: 'dark' } }
console.info(convertCssVariables(deepMerge(themeVariables, schemeVariables)))
