package script

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		m[word] = true
	}
	return m
}

// harmless are the names of the language and the runtimes that compute, wait or print. Only through the member names in forbidden
// do they reach a tool, the global object or a compiler.
var harmless = set(`undefined NaN Infinity Object Array String Number Boolean BigInt Symbol Math JSON Date RegExp Promise
	Map Set WeakMap WeakSet WeakRef FinalizationRegistry Intl Iterator Temporal
	Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError SuppressedError
	ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array
	Float32Array Float64Array BigInt64Array BigUint64Array
	parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape
	atob btoa structuredClone URL URLSearchParams TextEncoder TextDecoder AbortController AbortSignal performance
	console setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask
	text image audio store load notify yield_control exit forward_output generatedImage ALL_TOOLS`)

// globals are the names of the global object.
var globals = set(`globalThis window self global frames top parent`)

// dangerous are the names that compile text, load modules or read members by computed names.
var dangerous = set(`eval Function AsyncFunction GeneratorFunction Reflect Proxy WebAssembly Worker SharedWorker ShadowRealm
	importScripts require module exports process Deno Bun document navigator std os __dirname __filename`)

// forbidden are the names of members through which any function leads to a compiler of text, or through which the meaning of other
// code can be changed.
var forbidden = set(`constructor __proto__ getPrototypeOf setPrototypeOf getOwnPropertyDescriptor getOwnPropertyDescriptors
	defineProperty defineProperties __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ prepareStackTrace
	runInThisContext runInNewContext mainModule`)

// timers call their first argument, or compile it if it is a string.
var timers = set(`setTimeout setInterval setImmediate queueMicrotask`)

// printers only show a value, or convert it to text or data. They neither store it nor call it.
var printers = set(`text image audio notify exit forward_output generatedImage String Number Boolean BigInt parseInt parseFloat
	isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape atob btoa
	JSON.stringify JSON.parse Array.isArray Object.keys Object.hasOwn Number.isInteger Number.isFinite Number.isNaN
	Number.parseInt Number.parseFloat Date.parse console.log console.error console.warn console.info console.debug console.table
	Math.max Math.min Math.round Math.floor Math.ceil Math.abs`)

// sealed are the objects of the language that cannot be reached from other values: their functions can be replaced only if the
// objects are passed on.
var sealed = set(`JSON Math console performance`)

// inspectors are the functions of Object that change nothing.
var inspectors = set(`keys values entries freeze seal preventExtensions fromEntries hasOwn is isFrozen isSealed isExtensible create
	groupBy getOwnPropertyNames getOwnPropertySymbols`)

// stringResults and numberResults are the harmless functions that return strings and numbers. The functions in dataResults return
// data if they are given data, or whatever they are given.
var (
	stringResults = set(`String encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape atob btoa
		JSON.stringify String.fromCharCode String.fromCodePoint`)
	numberResults = set(`Number parseInt parseFloat Number.parseInt Number.parseFloat Date.now Date.parse performance.now
		Math.max Math.min Math.round Math.floor Math.ceil Math.abs Math.trunc Math.random Math.pow Math.sqrt`)
	dataResults = set(`JSON.parse load Object.keys Boolean Array.isArray Object.hasOwn Number.isInteger Number.isFinite isNaN isFinite`)
	passThrough = set(`Promise.all Promise.allSettled Promise.race Promise.any Promise.resolve structuredClone Object.entries Object.values
		Object.fromEntries Object.freeze Array.from Array.of Object.assign`)
)

// iterators are the methods of arrays that call their first argument with an element and its index.
var iterators = set(`map forEach flatMap filter some every find findIndex findLast findLastIndex`)

// readers are methods of strings, numbers, dates, arrays and objects that store and change nothing, and do not call their
// arguments. For data they return data, or an iterator over it.
var readers = set(`trim trimStart trimEnd split slice substring substr toUpperCase toLowerCase toString toFixed padStart padEnd repeat
	startsWith endsWith includes indexOf lastIndexOf charAt charCodeAt codePointAt at match matchAll search normalize
	localeCompare join concat flat entries keys values toISOString toLocaleString toLocaleLowerCase toLocaleUpperCase
	getTime hasOwnProperty propertyIsEnumerable isPrototypeOf test exec toReversed toSpliced with`)

// steppers are the readers that return an iterator, an object with methods.
var steppers = set(`entries keys values matchAll`)

// scalars are the readers whose result has no part of the object.
var scalars = set(`join includes indexOf lastIndexOf toString toLocaleString hasOwnProperty propertyIsEnumerable isPrototypeOf keys`)

// keepers are the readers whose result contains their arguments.
var keepers = set(`concat with toSpliced`)

// mutators are the methods that change the array they are called on.
var mutators = set(`push pop shift unshift splice sort reverse fill copyWithin`)

// rebinders are the methods of functions that call the function with another this.
var rebinders = set(`call apply bind`)

// conversions are the members that are called when a value is converted or awaited.
var conversions = set(`toString valueOf toLocaleString toJSON then`)

// trails are the members of functions that lead to the arguments of other calls.
var trails = set(`caller callee arguments`)

// objectNames are the members that all objects inherit, except those in forbidden.
var objectNames = set(`hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf`)

// prototypeNames are the members that data inherits: objects, arrays, strings, numbers and promises.
var prototypeNames = set(`hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf at concat copyWithin
	entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys
	lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toReversed toSorted toSpliced
	unshift values with anchor big blink bold charAt charCodeAt codePointAt endsWith fixed fontcolor fontsize
	isWellFormed italics link localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search
	small split startsWith strike sub substr substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase toUpperCase
	toWellFormed trim trimEnd trimLeft trimRight trimStart toExponential toFixed toPrecision catch finally then
	description group groupToMap`)
