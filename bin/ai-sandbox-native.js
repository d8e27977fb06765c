#!/usr/bin/env node
import { main } from '../js/cli/main.js'

await main(process.argv.slice(2))
