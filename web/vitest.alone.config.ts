import { aloneTests } from './testing/test-project.ts'

export default aloneTests()
