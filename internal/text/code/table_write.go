package code

import "strings"

// libraryWrites are functions of libraries that write a file of which they are told the name. Many of their names are those of other
// functions as well, so they count only if something is known of the name of the file.
var libraryWrites = []row{
	{writesNamed, `.to_csv .to_parquet .to_excel .to_pickle .to_feather .to_hdf .to_stata .to_xml .to_orc .to_markdown .to_latex .to_html
		.to_netcdf .to_zarr .to_file .write_csv .write_parquet .write_json .write_ndjson .write_ipc .write_avro .write_excel .write_database
		.sink_csv .sink_parquet .sink_ipc np.save np.savez np.savez_compressed np.savetxt numpy.save numpy.savez numpy.savez_compressed
		numpy.savetxt .tofile .savefig .write_image .write_html .save .save_model .save_pretrained .save_weights .save_to_disk .imwrite .imsave
		.savemat .dump_svmlight_file .toFile .outputFile .outputJson .outputJsonSync .outputJSONSync .writeJson .writeJsonSync .writeJSONSync
		Deno.create Deno.createSync CSV.write FileHandler logging.FileHandler RotatingFileHandler shelve.open dbm.open SummaryWriter`},
	{writesSecond, `torch.save joblib.dump skops.io.dump .writeFileXLSX XLSX.writeFile XLSX.writeFileSync =imagepng =imagejpeg =imagegif
		=imagewebp =nstore Storable.store Storable.nstore =lock_store`},
	{writesKey, `.screenshot .pdf`},
	{opens, `h5py.File CSV.open`},
	{writesReceiver, `Path().spew Path().spew_utf8 .spew .spew_utf8 .spew_raw .spurt Pathname().write Pathname().binwrite Bun.file().writer
		Bun.file().write`},
	{opensArchive, `tarfile.open TarFile.open tarfile.TarFile ZipFile zipfile.ZipFile zipfile.PyZipFile`},
	{makesArchive, `shutil.make_archive =make_archive`},
}

// statisticsWrites are the functions of R that write a file.
var statisticsWrites = []row{
	{writesNamed, `ggsave sink png jpeg tiff svg pdf bmp save.image ggplot2.ggsave`},
	{writesSecond, `saveRDS writeLines write.csv write.csv2 write.table write.xlsx write_csv write_tsv write_rds write_delim
		write_excel_csv write_xlsx write_json write_parquet write_feather fwrite dput dump qsave writeBin`},
	{writesKey, `save cat`},
}

// fileKeys are the names of arguments with the name of a file.
var fileKeys = strings.Fields(`path_or_buf path fname file filename filename_or_obj excel_writer fp save_directory filepath file_path con f
	log_dir uri target buf outfile`)

// writesNamed reads a function whose first argument is the name of the file.
func writesNamed(e *evaluator, c invocation) value { return e.namedWrite(c, c.arg(0)) }

// writesSecond reads a function whose first argument is what is written, and the second the name of the file.
func writesSecond(e *evaluator, c invocation) value { return e.namedWrite(c, c.arg(1)) }

// writesKey reads a function that writes a file only if an argument names it.
func writesKey(e *evaluator, c invocation) value { return e.namedWrite(c, value{}) }

func (e *evaluator) namedWrite(c invocation, file value) value {
	if !file.known() && !file.path {
		given, ok := c.key(fileKeys...)
		if !ok {
			return value{}
		}
		file = given
	}
	var local value
	for _, name := range file.texts {
		if !isURL(name) && name != "" && name != Unknown {
			local.texts = append(local.texts, name)
		}
	}
	if len(local.texts) > 0 {
		e.written(local, value{}, c.taint())
	}
	return value{}
}

// opensArchive reads the ways to open an archive, which is written in some modes, and read in others.
func opensArchive(e *evaluator, c invocation) value {
	mode := c.arg(1)
	if given, ok := c.key("mode"); ok {
		mode = given
	}
	how := strings.Join(mode.texts, "")
	if strings.HasPrefix(how, "w") || strings.HasPrefix(how, "a") || strings.HasPrefix(how, "x") {
		return e.namedWrite(c, c.subject())
	}
	return reads(e, c)
}

// makesArchive reads a function that packs a folder: its arguments are the archive without its ending, the format and the folder.
func makesArchive(e *evaluator, c invocation) value {
	for _, name := range c.arg(0).texts {
		e.written(text(name+"."+Run), value{}, taint{})
	}
	return value{}
}
